import { countInvisible } from '../../text/invisible.ts';
import type { Change } from '../change.ts';

const maxNamed = 5;
/** A page that has more is a person's work: counting them takes 20 ms. */
const maxCounted = 5_000;

/**
 * No file may gain invisible characters: they hide text from reviewers. Existing ones may stay, and move within their file and with it.
 * Those that a script or an emoji needs do not count.
 */
export function findAddedCharacters({ path, before, after, base }: Change): string | undefined {
  if (after === null || after.text === null || after.sha === before?.sha) return undefined;
  const left = countInvisible(before?.text ?? '', maxCounted);
  const found = countInvisible(after.text, maxCounted);
  const added = [...found].filter(([character, count]) => count > (left.get(character) ?? 0));
  if (added.length === 0 || [...base.files.values()].some(({ sha }) => sha === after.sha)) return undefined;
  const names = added
    .slice(0, maxNamed)
    .map(([character]) => nameOf(character))
    .join(', ');
  const more = added.length > maxNamed ? ' and others' : '';
  return `${path} would gain invisible characters: ${names}${more}. Nobody can review what they hide. Write the text without them; those that the file has already may stay. In an example, write their name, such as \`U+200B\``;
}

const nameOf = (character: string): string =>
  `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`;
