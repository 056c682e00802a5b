import type { CodeFile, DataFile } from '../../docs/frameworks/edits/data-files.ts';
import { ThreadFailure } from '../../threads/threads.ts';
import type { Change } from '../base-files.ts';
import type { CodeRefusal } from '../code/compare-code.ts';
import { listSides } from '../data/list-sides.ts';
import type { Place } from '../places/find-place.ts';
import { findOtherReader } from '../places/included-files.ts';
import type { ForeignReaders } from './foreign-readers.ts';

const advice = 'if more has to change, say so in your summary';

/** Files of frameworks: only the data of their containers may change. */
export async function judgeData(
  { path, before, after }: Change,
  { containers, what }: DataFile,
  compare: (texts: { before: string | undefined; after: string }) => Promise<string | undefined>,
): Promise<string | undefined> {
  const isWhole = containers.every(({ at }) => at.length === 0);
  if (!isWhole && (before === null || after === null))
    return `${path} is protected: only ${what} may change, so you may neither add nor remove the file`;
  if (after === null) return undefined;
  const old = before === null ? undefined : (before.text ?? '');
  const tooLong = 'the file of the repository cannot be taken apart in time';
  const bad = await compare({ before: old, after: after.text ?? '' }).catch(failClosed(tooLong));
  return bad === undefined
    ? undefined
    : `${path} cannot be written like this: ${bad}. You may change ${what}; ${advice}`;
}

/** Configuration that is code: only the data of its navigation and redirects may change. */
export async function judgeCode(
  { path, before, after }: Change,
  { what }: CodeFile,
  compare: (texts: { before: string; after: string }) => Promise<CodeRefusal | undefined>,
): Promise<string | undefined> {
  if (before !== null && after?.sha === before.sha) return undefined;
  if (before === null || after === null)
    return `${path} is protected: it is code of which only ${what} may change, so you may neither add nor remove the file. If that is needed, say so in your summary`;
  const tooLong = { problem: 'the file cannot be compared in time', places: [] };
  const refusals: (CodeRefusal | undefined)[] = [];
  for (const side of listSides(before.text ?? ''))
    refusals.push(await compare({ before: side, after: after.text ?? '' }).catch(failClosed(tooLong)));
  const [first] = refusals;
  return refusals.includes(undefined) || first === undefined ? undefined : describe(path, what, first);
}

/** The next edit tries again. */
const failClosed =
  <Refusal>(refusal: Refusal) =>
  (error: unknown): Refusal => {
    if (!(error instanceof ThreadFailure)) throw error;
    return refusal;
  };

const maxPlaces = 8;

function describe(path: string, what: string, { problem, places, example }: CodeRefusal): string {
  if (places.length === 0)
    return `${path} is protected: ${problem}, and it holds no data of ${what} that an edit could change. If it has to change, say so in your summary`;
  const shown = places.slice(0, maxPlaces).join(', ');
  const more = places.length > maxPlaces ? ` and ${places.length - maxPlaces} more` : '';
  const like = example === undefined ? '' : `, written like \`${example}\``;
  return `${path} cannot be written like this: ${problem}. It is code, of which you may change entries in ${shown}${more}${like}. Everything else stays as it is; ${advice}`;
}

/** Files that the settings open, or pages include. Code, and what no setting names, is written only if nothing else reads it. */
export async function judgeOpened(
  { path, before, after, base }: Change,
  { type, isNamed }: Place & { kind: 'opened' },
  compare: ForeignReaders['compareOpened'],
): Promise<string | undefined> {
  const reader = isNamed && type !== 'code' ? undefined : await findOtherReader(base, path);
  if (reader !== undefined) {
    const opening =
      type === 'code' ? '' : `, and a person can open the file by \`also: [${path}]\` in .github/pagewright.yml`;
    return `${path} is protected: pages include it, but ${reader} names it, too, so that more than pages may read it. Say in your summary what has to change${opening}`;
  }
  if (after === null || after.text === null || type === 'code') return undefined;
  return compare({ path, type, before: before?.text ?? undefined, after: after.text });
}
