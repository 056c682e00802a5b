import type { Change } from '../change.ts';
import type { Place } from '../places/find-place.ts';
import { findOtherReader } from '../places/included-files.ts';
import type { ForeignReaders } from './foreign-readers.ts';

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
