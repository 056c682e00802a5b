import type { DataFile } from '../../docs/frameworks/edits/data-files.ts';
import { ThreadFailure } from '../../threads/threads.ts';
import type { Change } from '../change.ts';

/** Files of frameworks: only the data of their containers may change. Fails closed; the next edit tries again. */
export async function judgeData(
  { path, before, after }: Change,
  { containers, what }: DataFile,
  compare: (texts: { before: string | undefined; after: string }) => Promise<string | undefined>,
): Promise<string | undefined> {
  const isWhole = containers.every(({ at }) => at.length === 0);
  if (!isWhole && (before === null || after === null))
    return `${path} is protected: only ${what} may change, so you may neither add nor remove the file`;
  if (after === null) return undefined;
  const bad = await compare({
    before: before === null ? undefined : (before.text ?? ''),
    after: after.text ?? '',
  }).catch(notInTime);
  return bad === undefined
    ? undefined
    : `${path} cannot be written like this: ${bad}. You may change ${what}; if more has to change, say so in your summary`;
}

function notInTime(error: unknown): string {
  if (!(error instanceof ThreadFailure)) throw error;
  return 'the file of the repository cannot be taken apart in time';
}
