/**
 * Whether a text is the filled form of a template: it has at least half of the template's labels, whatever marks them. Labels are headings, bold
 * beginnings of lines, words before a colon, and cells of tables; without those, items of lists. A form is filled by replacing the rest.
 */
export function followsTemplate(text: string, template: string): boolean {
  const { labels, items } = readForm(template);
  const wanted = labels.size > 0 ? labels : items;
  const written = listStarts(text);
  const found = [...wanted].filter((label) =>
    written.some((start) => start === label || start.startsWith(`${label} `)),
  );
  return wanted.size > 0 && found.length * 2 >= wanted.size;
}

const item = /^(?:[-*+]|\d{1,9}[.)])[ \t]+(?:\[[ x]\][ \t]+)?/i;
const tags = /<\/?[a-z][^<>]{0,200}>/gi;
const headingTag = /^<(?:h[1-6]|b|strong|summary)[\s>]/i;
const bold = /^(?:\*\*|__)([^*_]{1,200})(?:\*\*|__)/;
const beforeColon = /^([\p{L}\p{N}][^:|<>`]{0,60}):(?:\s|$)/u;
const underline = /^(?:={3,}|-{3,})$/;

function readForm(template: string): { labels: Set<string>; items: Set<string> } {
  const labels = new Set<string>();
  const items = new Set<string>();
  const lines = withoutFences(template);
  for (const [index, line] of lines.entries()) {
    const label = findLabels(line, lines[index + 1] ?? '');
    for (const each of label.map(plain)) if (each !== '') labels.add(each);
    if (label.length === 0 && item.test(line)) items.add(plain(line.replace(item, '')));
  }
  items.delete('');
  return { labels, items };
}

function findLabels(line: string, next: string): string[] {
  if (/^#{1,6}[ \t]/.test(line) || headingTag.test(line)) return [line];
  if (underline.test(next) && !line.startsWith('|') && line !== '') return [line];
  if (line.startsWith('|')) return /^[|\s:-]*$/.test(line) ? [] : line.split('|').filter((cell) => cell.trim() !== '');
  const content = line.replace(item, '');
  const [, begin = beforeColon.exec(content)?.[1]] = bold.exec(content) ?? [];
  return begin === undefined ? [] : [begin];
}

/** Where a label may begin: each line and each cell. */
const listStarts = (text: string): string[] =>
  text.split(/\r?\n/).flatMap((line) => {
    const content = line.trim().replace(item, '');
    return (content.startsWith('|') ? content.split('|') : [content]).map(plain);
  });

function withoutFences(text: string): string[] {
  let isCode = false;
  return text.split(/\r?\n/).flatMap((line) => {
    const content = line.trim();
    const isFence = content.startsWith('```') || content.startsWith('~~~');
    if (isFence) isCode = !isCode;
    return isFence || isCode ? [] : [content];
  });
}

/** Only letters and numbers: neutralizing changes the rest. */
const plain = (text: string): string =>
  text
    .replace(tags, ' ')
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();
