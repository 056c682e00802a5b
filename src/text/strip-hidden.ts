import { type RunTask, ThreadFailure, type ThreadTask } from '../threads/threads.ts';
import { findHiddenParts } from './hidden-parts.ts';
import { withoutInvisible } from './invisible.ts';

/** Removing a part may make another: `<!<!-- a -->-- b -->`. Nobody needs more rounds. */
const maxRounds = 4;

/** Also for small texts: some Markdown takes quadratic time, 20 ms for 800 characters and 7 s for 16,000. */
const stripHiddenTask: ThreadTask<string, string> = {
  module: import.meta.url,
  work: stripHidden,
};

/** `stripHidden` for a text of any size: one that takes too long loses all of its markup. */
export async function stripHiddenInThread(text: string, runTask: RunTask, signal: AbortSignal): Promise<string> {
  try {
    return await runTask(stripHiddenTask, text, signal);
  } catch (error) {
    if (!(error instanceof ThreadFailure)) throw error;
    return withoutMarkup(text);
  }
}

/** Removes the parts of Markdown that people do not see on GitHub, because they could hide instructions. Idempotent. */
export function stripHidden(text: string): string {
  let shown = withoutInvisible(text);
  for (let round = 0; round < maxRounds; round += 1) {
    const next = replaceParts(shown);
    if (next === shown) return shown;
    shown = next;
  }
  return withoutMarkup(shown);
}

function replaceParts(text: string): string {
  const kept: string[] = [];
  let end = 0;
  for (const { from, to, by } of findHiddenParts(text)) {
    if (from < end) continue;
    kept.push(text.slice(end, from), by);
    end = to;
  }
  return kept.join('') + text.slice(end);
}

/** Linear time. The result contains nothing that can hide text. */
export function withoutMarkup(text: string): string {
  return withoutInvisible(text)
    .replace(/<[^>]*>?/g, '')
    .replace(/\]\([^)\n]*\)?/g, ']')
    .replace(/[![\]]/g, '');
}
