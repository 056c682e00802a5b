/** A link that its page alone shows to be none. */
export interface LinkFault {
  target: string;
  start: number;
  message: string;
  /** What some sites excuse. */
  form?: 'undefined' | 'spaced' | 'empty';
}

/** `[text][label]` and `[label][]`. A name with an index before them is code without its marks. */
const reference = /(?<![\w\])}\\`])\[((?:[^[\]\\]|\\.){1,300})\]\[((?:[^[\]\\]|\\.){0,200})\]/g;
/** At any indentation, as MkDocs takes them inside of its blocks. */
const definition = /^[ \t>]*\[((?:[^\]\\]|\\.){1,999})\]:[ \t]*(?:\r?\n[ \t]*)?(\S+)/gm;
/** `[text]()` */
const empty = /(?<![\w!\\])\[((?:[^[\]\\]|\\.){1,300})\]\([ \t]*\)/g;
/** `[text])(address)`, `(text)[address]`, `[text](address]more)`, `[text])address)`, `[text]address)` and `[text](page.md]`. */
const turned =
  /\]\)\((https?:\/\/[^\s()[\]]{1,500})\)|(?<![\w\]])\([^()\n]{1,200}\)\[(https?:\/\/[^\s\]]{1,500})\](?![(:[])|\]\((https?:\/\/[^\s()[\]]{1,500}\]\(?[^\s()]{0,500})\)|\]\)?(https?:\/\/[^\s()[\]]{1,500})\)|\](\/[^\s()[\]]{1,500}\.(?:html?|mdx?))\)|\](?<!\\\])\(([\w./-]{1,300}\.(?:md|mdx|html))\]/g;
/** `[text](#two words)`, and `[text](/address` without its end. A title is quoted. */
const spaced =
  /(?<![\w\]\\])\[(?:[^[\]\\]|\\.){1,300}\]\(((?:#|\.{0,2}\/)[^\s()<>"'{}]{1,300})[ \t](?![ \t"'()])[^()\n"']{1,300}(?:\)|$)/gm;
/** `[text](https://acme.dev/` whose address goes on in the next line. */
const split =
  /\]\((https?:\/\/[^\s()<>"'{}]{1,500})[ \t]{0,9}\r?\n[ \t]{0,40}(?!["'(\s])[^\s()"']{1,300}[^()\n]{0,100}\)/g;
/** `[text] (#anchor)` and `[text] (page.md)` */
const apart =
  /(?<![\w\])}\\`])\[((?:[^[\]\\]|\\.){2,300})\](?=\s)[ \t]{0,9}(?:\r?\n[ \t]{0,40})?\(((?:#(?!\d+\))[\w-]{1,200}|[\w./-]{1,300}\.mdx?(?:#[\w-]{1,200})?))\)/g;
/** `]((/use/)`, `]({{site.baseurl}}//use/)`, `]({{site.url}}/{{site.baseurl}}/use/)` and `](({{site.baseurl}}/use/)` of Jekyll. */
const doubled =
  /\]\((\((?:\{\{[^{}\n]{1,60}\}\}[^\s()]{0,300}|(?:[#./]|https?:\/\/)[^\s()]{0,300}(?=\)(?!\))))|\{\{[^{}\n]{1,60}\}\}(?:\/\{\{[ \t-]{0,9}site\.baseurl[^{}\n]{0,20}\}\}|(?:\{\{[^{}\n]{1,60}\}\})?\/\/)[^\s()]{0,300})/g;
/** Footnotes, citations, templates, options of commands, and paragraphs that only look alike. */
const noLabel = /^[\s^@!-]|[{}<>$|=]|\n[ \t]*\n|^\d*$/;

/** Without one of these, none of the patterns matches. */
const likely =
  /\](?:\[|:|\/|\([ \t]*\)|\((?:\{\{|\()|\([\w.:/-]{0,500}\]|\([#./][^\s()]{0,300}[ \t]|\(http[^\s()]{0,500}[ \t]{0,9}\r?\n|\s{1,40}\(|\)?\(?http)|\)\[http/;

/** https://spec.commonmark.org/0.31.2/#reference-link, by text without code and the text itself. */
export function listReferenceFaults(prose: string, text: string): LinkFault[] {
  if (!likely.test(prose)) return [];
  const defined = new Map<string, string>();
  const faults: LinkFault[] = [];
  const wordsAt = (start: number, length: number) => text.slice(start, start + length);
  for (const { 0: whole, 1: label = '', 2: target = '', index } of prose.matchAll(definition)) {
    const start = index + whole.indexOf('[') + 1;
    const name = wordsAt(start, label.length);
    const first = defined.get(normalize(name));
    if (first === undefined) defined.set(normalize(name), target);
    else if (first !== target && !noLabel.test(name))
      faults.push({ target, start, message: `[${name}] is defined twice, as ${first} and as ${target}` });
  }
  for (const { 1: shown = '', 2: label = '', index } of prose.matchAll(reference)) {
    const words = wordsAt(index + 1, shown.length);
    const name = label === '' ? words : wordsAt(index + shown.length + 3, label.length);
    if (noLabel.test(name) || noLabel.test(words) || defined.has(normalize(name))) continue;
    const message = `[${words}][${label && name}] is no link: ${name} is not defined`;
    faults.push({ target: name, start: index, message, form: 'undefined' });
  }
  for (const { 0: whole, 1: shown = '', index } of prose.matchAll(empty)) {
    // Filters of pandoc take code as an address.
    if (wordsAt(index + shown.length + 3, whole.length - shown.length - 4).trim() !== '') continue;
    const target = `[${wordsAt(index + 1, shown.length)}]()`;
    faults.push({ target, start: index, message: `${target} has no address`, form: 'empty' });
  }
  for (const { 1: shown = '', 2: target = '', index } of prose.matchAll(apart)) {
    const words = wordsAt(index + 1, shown.length);
    if (noLabel.test(words) || defined.has(normalize(words))) continue;
    const message = `[${words.replace(/\s+/g, ' ')}] stands apart from (${target}), so it is no link: write them together`;
    faults.push({ target, start: index, message });
  }
  for (const { 1: target = '', index } of [...prose.matchAll(spaced), ...prose.matchAll(split)]) {
    const message = `the link to ${target} has a space in its address, or no ) behind it, so it is no link`;
    faults.push({ target, start: index, message, form: 'spaced' });
  }
  for (const { 1: target = '', index } of prose.matchAll(doubled)) {
    const message = `the address ${target} has a ${target.startsWith('(') ? '(' : '/'} too much`;
    faults.push({ target, start: index, message });
  }
  for (const found of prose.matchAll(turned)) {
    const { index } = found;
    const target = found.slice(1).find((each) => each !== undefined) ?? '';
    const message = `the brackets of the link to ${target} are mixed up: write [text](address)`;
    faults.push({ target, start: index, message });
  }
  return faults;
}

const normalize = (label: string): string => label.replace(/\s+/g, ' ').trim().toLowerCase();

/** `` `text <address>` `` without an underscore behind it. A role stands before or behind. */
const unmarked = /(?<![\w:`\\])`([^`<>]{1,300}<)((?:https?:\/\/|mailto:)[^`<>\s]{1,500})>`(?![_`\w:])/g;
/** `` `name_` ``: the underscore belongs behind. */
const inside = /(?<![\w:`\\])`([^`<>\n]{1,100})_`(?![_`\w:])/g;
/** `` `text <name>`_ ``: a name needs an underscore, too. */
const named = /(?<![\w:`\\])`([^`<>]{1,300}<)([^`<>:/.#]{1,200}[^`<>:/.#_\\])>`__?/g;

/** Of Markdown. */
const foreign = /(?<![\w`])\[[^[\]\n]{1,200}\]\((https?:\/\/[^\s()]{1,500})\)/g;
/** `.. _name`, and `.. _name: https://acme.dev>`. */
const badTarget = /^[ \t]*\.\. _(?:([\w-]{1,200})|[^:\n]{1,200}: https?:\/\/[^\s<]{1,500}>)$/gm;

/** https://docutils.sourceforge.io/docs/ref/rst/restructuredtext.html#hyperlink-references. `declared`: names of its links. */
export function listRstLinkFaults(text: string, prose: string, declared: ReadonlySet<string>): LinkFault[] {
  const isDeclared = (name: string) => declared.has(normalize(name));
  return [
    ...Array.from(text.matchAll(badTarget), ({ 0: line, 1: name, index }) => {
      const target = line.trim();
      const message = `${target} is no target: ${name ? 'a colon is missing' : 'its > is too much'}`;
      return { target, start: index, message };
    }),
    ...Array.from(prose.matchAll(foreign), ({ 1: target = '', index }) => {
      return { target, start: index, message: `the link to ${target} is Markdown: write \`text <address>\`__` };
    }),
    ...Array.from(prose.matchAll(unmarked), ({ 1: before = '', 2: target = '', index }) => {
      return { target, start: index + 1 + before.length, message: `<${target}> is no link: \`__ belongs behind it` };
    }),
    ...Array.from(prose.matchAll(inside)).flatMap(({ 1: name = '', index }) =>
      isDeclared(name) ? [{ target: name, start: index, message: `\`${name}_\` is no link: write \`${name}\`_` }] : [],
    ),
    ...Array.from(prose.matchAll(named)).flatMap(({ 1: before = '', 2: name = '', index }) => {
      const plain = name.replace(/^_/, '');
      if (!isDeclared(plain) && !/\s/.test(plain.trim())) return [];
      const message = `<${name}> is an address here: write <${plain}_> for the link of this name`;
      return [{ target: name, start: index + 1 + before.length, message }];
    }),
  ];
}
