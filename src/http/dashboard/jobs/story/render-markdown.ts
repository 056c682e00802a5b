import { type RunTask, ThreadFailure, ThreadsBusy, type ThreadTask } from '../../../../threads/threads.ts';
import { type Html, html } from '../../../pages/html.ts';
import type { Texts } from './texts-to-html.ts';

// Only threads load the renderer.
export const textsToHtml = async (texts: Texts) => (await import('./texts-to-html.ts')).textsToHtml(texts);
const textsTask: ThreadTask<Texts, string[]> = { module: import.meta.url, work: textsToHtml };

/** A text of the model or of a person as HTML. */
export type Prose = (text: string) => Html;

/** Renders the Markdown of a page in a thread. Shows the texts as they are written where that takes too long. */
export async function renderProse(
  { texts, filesUrl }: { texts: readonly string[]; filesUrl?: string },
  { runTask, signal }: { runTask: RunTask; signal: AbortSignal },
): Promise<Prose> {
  const distinct = [...new Set(texts)];
  const rendered = await runTask(textsTask, { texts: distinct, filesUrl }, signal).catch((error: unknown) => {
    if (error instanceof ThreadFailure || error instanceof ThreadsBusy) return [];
    throw error;
  });
  const known = new Map(distinct.map((text, index) => [text, rendered[index]]));
  return (text) => {
    const found = known.get(text);
    return found === undefined ? html`<pre tabindex="0" aria-label="Text">${text}</pre>` : { html: found };
  };
}
