const heading = /^ {0,3}#{1,6}[ \t]/;

/** `## Title {#id}` holds no expression: only the mark goes, so that nothing hides behind it. Keeps all places. */
export const blankHeadingIds = (text: string): string =>
  text.includes('{#')
    ? text
        .split('\n')
        .map((line) => (heading.test(line) ? line.replaceAll(/(?<!\\)\{#/g, '  ') : line))
        .join('\n')
    : text;
