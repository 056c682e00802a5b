import { isStorable, notStorable } from '../repository/setting-shapes.ts';
import { withoutInvisible } from '../text/invisible.ts';

/** Code points for the API, like JSON Schema. Comments are cut at as many UTF-16 units. */
export const maxPromptLength = 32_000;

/** Why a trimmed text is no instruction, to complete a sentence; undefined: it is one. */
export function findPromptProblem(text: string): string | undefined {
  if (!isStorable(text)) return notStorable;
  const { length } = [...text];
  if (length < 1 || length > maxPromptLength)
    return `must have 1 to ${maxPromptLength.toLocaleString('en')} characters`;
  return withoutInvisible(text).trim() === '' ? 'must have visible characters' : undefined;
}
