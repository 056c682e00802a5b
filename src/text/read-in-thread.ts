import { type RunTask, ThreadFailure, type ThreadTask } from '../threads/threads.ts';
import { type ReadComment, readVisible } from './read-visible.ts';
import { withoutMarkup } from './unseen-html.ts';

interface Comment {
  body: string;
  appSlug: string;
}

// Only threads load the parsers.
export const stripHidden = async (text: string) => (await import('./strip-hidden.ts')).stripHidden(text);
export const readComment = async ({ body, appSlug }: Comment) => readVisible(await stripHidden(body), appSlug);

/** Also for small texts: some Markdown takes quadratic time, 20 ms for 800 characters and 7 s for 16,000. */
const stripHiddenTask: ThreadTask<string, string> = { module: import.meta.url, work: stripHidden };
const readCommentTask: ThreadTask<Comment, ReadComment> = { module: import.meta.url, work: readComment };

/** `stripHidden` for a text of any size: one that takes too long loses all of its markup. */
export async function stripHiddenInThread(text: string, runTask: RunTask, signal: AbortSignal): Promise<string> {
  try {
    return await runTask(stripHiddenTask, text, signal);
  } catch (error) {
    if (!(error instanceof ThreadFailure)) throw error;
    return withoutMarkup(text);
  }
}

/** `readComment` for a body of any size: one that takes too long is read without its markup. */
export async function readCommentInThread(
  comment: Comment,
  runTask: RunTask,
  signal: AbortSignal,
): Promise<ReadComment> {
  try {
    return await runTask(readCommentTask, comment, signal);
  } catch (error) {
    if (!(error instanceof ThreadFailure)) throw error;
    return readVisible(withoutMarkup(comment.body), comment.appSlug);
  }
}
