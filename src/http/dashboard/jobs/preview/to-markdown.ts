type Convert = (lines: readonly string[]) => string[];

/** A page in another markup as Markdown: headings, lists, code, links and admonitions. What it does not know stays as it is written. */
export function toMarkdown(path: string, text: string): string {
  const extension = path.split('.').at(-1)?.toLowerCase() ?? '';
  const convert = converters.get(extension);
  return convert ? convert(text.split('\n')).join('\n') : text;
}

/** The name of a markup that is shown plainly. */
export const nameMarkup = (path: string): string | undefined =>
  /\.rst$/i.test(path) ? 'reStructuredText' : /\.(?:adoc|asciidoc)$/i.test(path) ? 'AsciiDoc' : undefined;

const mostDepth = 6;
const underline = /^([=\-~^"'`#*+.:_])\1{2,}\s*$/;
const indentOf = (line: string) => line.length - line.trimStart().length;

/** https://docutils.sourceforge.io/docs/ref/rst/restructuredtext.html */
const fromRestructuredText: Convert = (lines) => {
  const written: string[] = [];
  /** Characters of underlines, in the order in which they occur: the first is that of the title. */
  const levels: string[] = [];
  let code: number | undefined;
  for (let index = 0; index < lines.length; index += 1) {
    const line = lines[index] ?? '';
    if (code !== undefined) {
      if (line.trim() === '' || indentOf(line) > code) {
        written.push(line);
        continue;
      }
      written.push(`${' '.repeat(code)}\`\`\``, '');
      code = undefined;
    }
    const sign = underline.exec(lines[index + 1] ?? '')?.[1];
    const isOverline =
      underline.test(line) && (lines[index + 1] ?? '').trim() !== '' && underline.test(lines[index + 2] ?? '');
    if (isOverline) continue;
    if (sign !== undefined && line.trim() !== '' && !underline.test(line)) {
      if (!levels.includes(sign)) levels.push(sign);
      written.push(`${'#'.repeat(Math.min(levels.indexOf(sign) + 1, mostDepth))} ${inlineOfRst(line.trim())}`, '');
      index += 1;
      continue;
    }
    const [, before = '', name, rest = ''] = /^(\s*)\.\. ([\w-]{1,40})::(.*)$/.exec(line) ?? [];
    const block = / ?::$/.exec(line);
    if (name !== undefined && ['code-block', 'code', 'sourcecode', 'literalinclude'].includes(name)) {
      written.push(`${before}\`\`\`${rest.trim()}`);
      code = before.length;
    } else if (name !== undefined) written.push(`${before}!!! ${name} "${rest.trim().replaceAll('"', '')}"`, '');
    else if (/^\s*\.\.(?: |$)/.test(line)) written.push('');
    else if (block) {
      written.push(inlineOfRst(line.slice(0, block.index)), '', `${' '.repeat(indentOf(line))}\`\`\``);
      code = indentOf(line);
    } else written.push(inlineOfRst(line.replace(/^(\s*)#\. /, '$11. ')));
  }
  if (code !== undefined) written.push('```');
  return written;
};

const inlineOfRst = (text: string): string =>
  text
    .replace(/``([^`]{1,400})``/g, '`$1`')
    .replace(/`([^`<>]{1,200}) <([^`<>\s]{1,400})>`_{0,2}/g, '[$1]($2)')
    .replace(/:[\w:-]{1,40}:`([^`<>]{1,200}) <([^`<>\s]{1,400})>`/g, '[$1]($2)')
    .replace(/:[\w:-]{1,40}:`([^`]{1,200})`/g, '`$1`');

const admonitions = /^(NOTE|TIP|IMPORTANT|WARNING|CAUTION): (.*)$/;

/** https://docs.asciidoctor.org/asciidoc/latest/syntax-quick-reference/ */
const fromAsciiDoc: Convert = (lines) => {
  const written: string[] = [];
  let fence: string | undefined;
  let language = '';
  for (const line of lines) {
    if (fence !== undefined) {
      const isEnd = line.trimEnd() === fence;
      written.push(isEnd ? '```' : line);
      if (isEnd) fence = undefined;
      continue;
    }
    const [, signs, title = ''] = /^(={1,6}) (.+)$/.exec(line) ?? [];
    const [, kind = '', said = ''] = admonitions.exec(line) ?? [];
    const [, stars, item = ''] = /^\s*(\*{1,5}|\.{1,5}|-) (.*)$/.exec(line) ?? [];
    if (/^(?:-{4,}|\.{4,})\s*$/.test(line)) {
      fence = line.trimEnd();
      written.push(`\`\`\`${language}`);
      language = '';
    } else if (signs !== undefined) written.push(`${'#'.repeat(signs.length)} ${inlineOfAsciiDoc(title)}`, '');
    else if (kind !== '') written.push(`!!! ${kind.toLowerCase()} ""`, `    ${inlineOfAsciiDoc(said)}`);
    else if (stars !== undefined) {
      const depth = ' '.repeat(3 * (stars.length - 1));
      written.push(`${depth}${stars.startsWith('.') ? '1.' : '-'} ${inlineOfAsciiDoc(item)}`);
    } else if (/^\[[^\]]*\]\s*$/.test(line)) language = /^\[source,\s*([\w-]{1,40})/.exec(line)?.[1] ?? '';
    else if (/^:[\w-]{1,60}:/.test(line) || line.startsWith('//')) written.push('');
    else if (/^\.[^\s.]/.test(line)) written.push(`**${inlineOfAsciiDoc(line.slice(1))}**`, '');
    else written.push(inlineOfAsciiDoc(line));
  }
  return fence === undefined ? written : [...written, '```'];
};

const inlineOfAsciiDoc = (text: string): string =>
  text
    .replace(/image::?([^\s[\]]{1,400})\[([^\][]{0,200})\]/g, '![$2]($1)')
    .replace(/(?:link|xref):([^\s[\]]{1,400})\[([^\][]{1,200})\]/g, '[$2]($1)')
    .replace(/(https?:\/\/[^\s[\]]{1,400})\[([^\][]{1,200})\]/g, '[$2]($1)')
    .replace(/(^|[\s(])\*([^\s*][^*]{0,200})\*(?=$|[\s).,;:!?])/g, '$1**$2**');

const converters = new Map<string, Convert>([
  ['rst', fromRestructuredText],
  ['adoc', fromAsciiDoc],
  ['asciidoc', fromAsciiDoc],
]);
