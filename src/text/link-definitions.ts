const item = String.raw`(?:[-*+]|\d{1,9}[.)])[ \t]`;
const container = String.raw`[ \t>]*(?:${item}[ \t>]*)*`;

/** Outside a quotation, a definition ends where a quotation begins. Inside, it may continue on a line without `>`. */
const outside = createPattern({
  before: String.raw`[ \t]*(?:${item}[ \t]*)*`,
  next: String.raw`(?![ \t]*>)`,
  margin: String.raw`[ \t]*`,
});
const inside = createPattern({ before: container, next: '', margin: String.raw`[ \t>]*` });

/** Link definitions, also multi-line and in lists and quotations. https://spec.commonmark.org/0.31.2/#link-reference-definitions */
const definition = new RegExp(`^(?:${outside}|(?=[^\\n[]*>)${inside})[ \\t]*$`, 'gm');

function createPattern({ before, next, margin }: { before: string; next: string; margin: string }): string {
  const lineBreak = String.raw`\n(?!${container}(?:\n|$(?![\s\S])))${next}`;
  const space = String.raw`[ \t]*(?:${lineBreak}${margin})?`;
  const titles = ['""', "''", '()'].map((marks) => {
    const [opening = '', closing = ''] = [...marks].map((mark) => `\\${mark}`);
    return String.raw`${opening}(?:[^${opening}${closing}\\\n]|\\[^\n]|\\?${lineBreak})*${closing}`;
  });
  return [
    `(?<before>${before})`,
    String.raw`\[(?<label>(?:[^[\]\\]|\\[\s\S]){1,999})\]:`,
    String.raw`${space}(?:<(?:[^<>\\\n]|\\.)*>|[^\s<]\S*)`,
    String.raw`(?<title>(?=\s)${space}(?:${titles.join('|')}))?`,
  ].join('');
}

const isCommentName = (label: string) => /^(?:\/\/|comment|#)$/i.test(label.trim());

/** Certainly a paragraph, which a definition cannot interrupt: text there that looks like one is shown. */
const isParagraph = (line: string) => /^ {0,3}[^\s#=\-*_+>~`|<:\d]/.test(line);

/** Removes invisible text: unused definitions after `from`, and the titles of others. Keeps the lines, empty. Linear time. */
export function withoutDefinitions(text: string, from: number): string {
  const used = findLabels(replaceDefinitions(text, from, () => ''));
  return replaceDefinitions(text, from, ({ whole, label, title }) => {
    if (isCommentName(label) || !used.has(normalise(label))) return '';
    // The empty line keeps the next line from becoming the title.
    return title === undefined ? whole : `${whole.trimEnd().slice(0, -title.length)}\n`;
  });
}

interface Definition {
  before: string;
  whole: string;
  label: string;
  title: string | undefined;
}

function replaceDefinitions(text: string, from: number, replace: (found: Definition) => string): string {
  const kept: string[] = [];
  let end = 0;
  for (const match of text.matchAll(definition)) {
    const { before = '', label = '', title } = match.groups ?? {};
    const found = { before, label, title, whole: match[0].slice(before.length) };
    const matchEnd = match.index + match[0].length;
    if (matchEnd <= from || isShown(found, { text, at: match.index, isNext: end > 0 && end === match.index - 1 }))
      continue;
    kept.push(text.slice(end, match.index), before, replace(found));
    end = matchEnd;
  }
  return kept.join('') + text.slice(end);
}

function isShown({ before, label }: Definition, { text, at, isNext }: { text: string; at: number; isNext: boolean }) {
  return !isNext && before.trim() === '' && !isCommentName(label) && isParagraph(lineBefore(text, at));
}

function lineBefore(text: string, at: number): string {
  const end = Math.max(0, at - 1);
  return text.slice(text.lastIndexOf('\n', end - 1) + 1, end);
}

function findLabels(text: string): Set<string> {
  return new Set([...text.matchAll(/\[((?:[^[\]\\]|\\[\s\S]){1,999})\]/g)].map(([, label = '']) => normalise(label)));
}

const normalise = (label: string) => label.trim().replace(/\s+/g, ' ').toUpperCase();
