import type { SyntaxFault } from '../formats/mdx.ts';

const maxExcerpt = 120;
/** Of any parser: hostile pages make long ones. */
const maxReason = 400;

interface Fix {
  reason: RegExp;
  line?: RegExp;
  /** `[1]` of `reason`, then the opening line, fill the blanks. */
  advise(match: string, fault: SyntaxFault, line: string): string;
}

/** The usual fix for each message of the parser. The first that matches counts. */
const fixes: readonly Fix[] = [
  { reason: /to create a comment in MDX/, advise: () => 'Write a comment as {/* … */}' },
  {
    reason: /before name, expected/,
    line: /<\s*[\d=-]/,
    advise: (_, __, line) => `Write ${escapeLess(line)}, or put it in code`,
  },
  { reason: /(?:to create a link in MDX)/, advise: () => 'Write a link as [text](url)' },
  {
    reason: /: Expected (?:a|the) closing tag (?:for )?`<\/?([^`>]+)>`/,
    advise: (name, { line }) => `Close </${name}>, opened at line ${line}, with a tag of the same indentation`,
  },
  {
    reason: /: Unexpected closing tag `<\/([^`>]*)>`, expected corresponding closing tag for `<([^`>]*)>`/,
    advise: (name) => `Close the inner tag before </${name}>`,
  },
  {
    reason: /: Unexpected closing slash `\/` in tag, expected an open tag first/,
    advise: () => 'Remove this closing tag, or add the opening one',
  },
  {
    reason: /expected a corresponding closing brace|Could not parse expression|content after expression/i,
    advise: () => 'Write \\{ for a brace that is text, or put it in code',
  },
  {
    reason: /before attribute value|in attribute value|in tag/,
    advise: () => 'Write values of attributes in double quotes',
  },
  {
    reason: /import\/exports|only import\/exports/,
    advise: () => 'A line that begins with import or export is JavaScript here',
  },
  { reason: /before name|in name|after name/, advise: () => 'Write &lt; for < that is text, or put it in code' },
];

/** The fault, the line as written, and the usual fix: one sentence each, all on one line. */
export function describeFault(fault: SyntaxFault, text: string): string {
  const { reason, detail } = fault;
  const line = (text.split('\n')[fault.line - 1] ?? '').trim();
  const fix = fixes.find((each) => each.reason.test(reason) && (each.line?.test(line) ?? true));
  const match = fix?.reason.exec(reason)?.[1] ?? '';
  const excerpt = line.length > maxExcerpt ? `${line.slice(0, maxExcerpt)}…` : line;
  return [
    oneLine(detail === undefined ? reason : `${reason} (${detail})`),
    ...(excerpt === '' ? [] : [`The line: ${oneLine(excerpt)}`]),
    ...(fix ? [fix.advise(match, fault, line)] : []),
  ].join('. ');
}

const escapeLess = (line: string) => {
  const found = /<\s*[\d=-]\S{0,20}/.exec(line)?.[0] ?? '<';
  return `&lt;${found.slice(1)} for ${found}`;
};

const oneLine = (text: string) => text.slice(0, maxReason).replace(/\s+/g, ' ').replace(/\.$/, '');
