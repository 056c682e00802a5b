/** What a part of a text is, for its colour: the name of its class without `t-`. The first is the text itself. */
export const kinds = [
  'text',
  'heading',
  'strong',
  'emphasis',
  'link',
  'string',
  'comment',
  'keyword',
  'constant',
  'name',
  'attribute',
  'mark',
] as const;
export type Kind = (typeof kinds)[number];

/** A line: how long each part is, and the number of its kind, by turns. */
export type ColouredLine = number[];
