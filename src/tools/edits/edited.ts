import { formatCount, type ToolLimits } from '../output/limits.ts';

/** `where` names the changed lines, `shown` the text around them if the model did not copy it; `reason` tells it what is wrong and what to do. */
export type Edited =
  | { kind: 'edited'; text: string; where: string; shown?: string }
  | { kind: 'refused'; reason: string };

export const describeTooLong = (path: string, { maxFileCharacters }: ToolLimits): string =>
  `${path} would be longer than ${formatCount(maxFileCharacters)} characters; shorten new_text or split the file`;
