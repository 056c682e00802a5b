import type { Check, Files } from './outcome.ts';

/** Paths of files that were added, changed or removed. */
export const listChanged = (before: Files, after: Files): string[] =>
  [...new Set([...before.keys(), ...after.keys()])].filter((path) => before.get(path) !== after.get(path)).toSorted();

const faultIf = (isWrong: boolean, reason: string) => (isWrong ? [reason] : []);

/** No other file changed. */
export const changesOnly =
  (...paths: string[]): Check =>
  ({ before, after }) =>
    listChanged(before, after)
      .filter((path) => !paths.includes(path))
      .map((path) => `${path} changed, which nobody asked for`);

export const changesNothing: Check = (outcome) => [
  ...changesOnly()(outcome),
  ...faultIf(outcome.pullRequest !== undefined, 'there is a pull request, and nothing was to change'),
];

export const removes =
  (...paths: string[]): Check =>
  ({ after }) =>
    paths.filter((path) => after.has(path)).map((path) => `${path} is still there`);

/** The file is exactly this in the end, except for blanks at its end. */
export const becomes =
  (path: string, write: (before: Files) => string): Check =>
  ({ before, after }) => {
    const text = after.get(path);
    if (text === undefined) return [`${path} is missing`];
    return faultIf(
      text.trimEnd() !== write(before).trimEnd(),
      `${path} is not what was asked for: ${showFirst(text, write(before))}`,
    );
  };

/** Only this replacement was made in the file, everywhere in it. */
export const replacesIn = (path: string, from: string, to: string): Check =>
  becomes(path, (before) => (before.get(path) ?? '').replaceAll(from, to));

/** The text of a file matches each pattern. */
export const has =
  (path: string, ...patterns: RegExp[]): Check =>
  ({ after }) => {
    const text = after.get(path);
    if (text === undefined) return [`${path} is missing`];
    return patterns.filter((pattern) => !pattern.test(text)).map((pattern) => `${path} does not have ${pattern}`);
  };

export const lacks =
  (path: string, ...patterns: RegExp[]): Check =>
  ({ after }) =>
    patterns.filter((pattern) => pattern.test(after.get(path) ?? '')).map((pattern) => `${path} has ${pattern}`);

/** Only these files have it. */
export const nowhere =
  (pattern: RegExp, { except = [] }: { except?: readonly string[] } = {}): Check =>
  ({ after }) =>
    [...after]
      .filter(([path, text]) => !except.includes(path) && pattern.test(text))
      .map(([path]) => `${path} has ${pattern}`);

/** The file has these texts, in this order. */
export const inOrder =
  (path: string, ...texts: string[]): Check =>
  ({ after }) => {
    let from = 0;
    for (const text of texts) {
      const at = (after.get(path) ?? '').indexOf(text, from);
      if (at === -1) return [`${path} does not have ${text} where it belongs`];
      from = at + text.length;
    }
    return [];
  };

/** The file still has all its earlier text, in its order. Commas and brackets do not count. */
export const onlyAdds =
  (path: string): Check =>
  ({ before, after }) =>
    faultIf(
      !isWithin(listWords(before.get(path)), listWords(after.get(path))),
      `${path} lost something that stood in it`,
    );

export const onlyRemoves =
  (path: string): Check =>
  ({ before, after }) =>
    faultIf(
      !isWithin(listWords(after.get(path)), listWords(before.get(path))),
      `${path} got something that nobody asked for`,
    );

export const onlyReorders =
  (path: string): Check =>
  ({ before, after }) => {
    const sort = (text: string | undefined) => listWords(text).toSorted().join(' ');
    return faultIf(sort(before.get(path)) !== sort(after.get(path)), `${path} changed in more than its order`);
  };

const listWords = (text = ''): string[] => text.split(/[\s,[\]{}()]+/).filter(Boolean);

function isWithin(part: readonly string[], whole: readonly string[]): boolean {
  let found = 0;
  for (const word of whole) if (word === part[found]) found += 1;
  return found === part.length;
}

function showFirst(text: string, wanted: string): string {
  const lines = text.split('\n');
  const wantedLines = wanted.split('\n');
  const line = wantedLines.findIndex((wantedLine, index) => wantedLine !== lines[index]);
  const at = line === -1 ? wantedLines.length : line;
  return `line ${at + 1} is ${JSON.stringify(lines[at] ?? '')} instead of ${JSON.stringify(wantedLines[at] ?? '')}`;
}
