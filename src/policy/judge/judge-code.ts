import type { CodeFile } from '../../docs/frameworks/edits/code-files.ts';
import { ThreadFailure } from '../../threads/threads.ts';
import type { Change } from '../change.ts';
import type { CodeRefusal } from '../code/compare-code.ts';
import { listSides } from '../data/list-sides.ts';

/** Configuration that is code: only the data of its navigation and redirects may change. */
export async function judgeCode(
  { path, before, after }: Change,
  { what }: CodeFile,
  compare: (texts: { before: string; after: string }) => Promise<CodeRefusal | undefined>,
): Promise<string | undefined> {
  if (before !== null && after?.sha === before.sha) return undefined;
  if (before === null || after === null)
    return `${path} is protected: it is code of which only ${what} may change, so you may neither add nor remove the file. If that is needed, say so in your summary`;
  const refusals: (CodeRefusal | undefined)[] = [];
  for (const side of listSides(before.text ?? ''))
    refusals.push(await compare({ before: side, after: after.text ?? '' }).catch(notInTime));
  const [first] = refusals;
  return refusals.includes(undefined) || first === undefined ? undefined : describe(path, what, first);
}

/** Fails closed. The next edit tries again. */
function notInTime(error: unknown): CodeRefusal {
  if (!(error instanceof ThreadFailure)) throw error;
  return { problem: 'the file cannot be compared in time', places: [] };
}

const maxPlaces = 8;

function describe(path: string, what: string, { problem, places, example }: CodeRefusal): string {
  if (places.length === 0)
    return `${path} is protected: ${problem}, and it holds no data of ${what} that an edit could change. If it has to change, say so in your summary`;
  const shown = places.slice(0, maxPlaces).join(', ');
  const more = places.length > maxPlaces ? ` and ${places.length - maxPlaces} more` : '';
  const like = example === undefined ? '' : `, written like \`${example}\``;
  return `${path} cannot be written like this: ${problem}. It is code, of which you may change entries in ${shown}${more}${like}. Everything else stays as it is; if more has to change, say so in your summary`;
}
