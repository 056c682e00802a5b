import type { Random } from '../../../harness/random.ts';

/** At least one. */
export type Some<Item> = readonly [Item, ...Item[]];

/** What a language of pages has that runs or reads, and what a text may stand in. */
export interface PageGrammar {
  live: Some<string>;
  wrappers: Some<Wrapper>;
  /** What the page begins with. */
  heads?: Some<string>;
}

export type Wrapper = (text: string, mark: string) => string;

const marks: Some<string> = ['```', '~~~', '````', '~~~~'];

/** Draws a page: something live, in up to four wrappers, beside others, in odd spellings. */
export function drawNestedPage(random: Random, { live, wrappers, heads }: PageGrammar): string {
  const isDrawn = (share: number) => random.between(0, 1) < share;
  let text = random.pick(live);
  for (let depth = 1 + Math.floor(random.between(0, 4)); depth > 0; depth -= 1) {
    text = random.pick(wrappers)(text, random.pick(marks));
    if (isDrawn(0.2)) text = `${random.pick(wrappers)('x', random.pick(marks))}\n${isDrawn(0.5) ? '\n' : ''}${text}`;
    if (isDrawn(0.05)) text = `${text}\n${isDrawn(0.5) ? '\n' : ''}${random.pick(wrappers)('x', random.pick(marks))}`;
  }
  if (isDrawn(0.06)) text = spellOddly(random, text);
  if (isDrawn(0.04)) text = text.replaceAll('\n', '\r\n');
  return `${heads === undefined ? '' : random.pick(heads)}${text}\n`;
}

/** Other blanks, doubled ones, other case, a line end that some readers do not know. */
function spellOddly(random: Random, text: string): string {
  const place = Math.floor(random.between(0, text.length));
  const [before, after] = [text.slice(0, place), text.slice(place)];
  return random.pick([
    () => before + after.replace(' ', '\t'),
    () => before + after.replace(' ', '\u00a0'),
    () => `${before}\n\u2003\n${after}`,
    () => before + after.replace('\n', '\u00a0\n'),
    () => before + after.replace(' ', '  '),
    () => before + after.replace('\n', '\r'),
    () => before + after.replace('\n', '\u2028'),
    () => before + after.replace('\n', '\v'),
    () => before + after.replace(/[a-z]+/, (word) => word.toUpperCase()),
    () => before + after.replace('\n', '  \n'),
    () => `${before}\\${after}`,
    () => `${before}\n${after}`,
    () => `${before} ${after}`,
    () => before.slice(0, -1) + after,
  ])();
}

const indent = (text: string, by: string) => text.replaceAll('\n', `\n${by}`);

/** Code for some readers of Markdown, or what only looks like code. */
export const markdownWrappers: Some<Wrapper> = [
  (text, mark) => `${mark}\n${text}\n${mark}`,
  (text, mark) => `${mark}js words\n${text}\n${mark}`,
  (text, mark) => `${mark}js title="a b" {1,3}\n${text}\n${mark}`,
  (text, mark) => `${mark}\n${text}\n${mark}${mark[0]}`,
  (text, mark) => `${mark}\n${text}`,
  (text, mark) => `  ${mark}\n${text}\n    ${mark}`,
  (text, mark) => `${mark} a\`b\n${text}\n${mark}`,
  (text) => `- ${indent(text, '  ')}`,
  (text) => `- x\n\n  ${indent(text, '  ')}`,
  (text) => `1. ${indent(text, '   ')}`,
  (text) => `7) x\n\n   ${indent(text, '   ')}`,
  (text) => `* x\n\n    ${indent(text, '    ')}`,
  (text) => `> ${indent(text, '> ')}`,
  (text) => `> ${text}`,
  (text) => `    ${indent(text, '    ')}`,
  (text) => `x\n    ${indent(text, '    ')}`,
  (text) => `\`${text}\``,
  (text) => `\`\` ${text} \`\``,
  (text) => `\\\`${text}\``,
  (text) => `\`${text}`,
  (text) => `**${text}**`,
  (text) => `# ${text}`,
  (text) => `<!-- ${text} -->`,
  (text) => `<!--\n\n${text}\n-->`,
  (text) => `<details>\n${text}\n</details>`,
  (text) => `<div markdown="1">\n\n${text}\n\n</div>`,
  (text) => `<div>\n\n${text}\n\n</div>`,
  (text) => `<pre>\n\n${text}\n</pre>`,
  (text) => `<a title="${text}">x</a>`,
  (text) => `[${text}](/y)`,
  (text) => `| a | b |\n| - | - |\n| \`${text} | x\` |`,
  (text) => `| a | b |\n| - | - |\n| ${text} | x |`,
  (text) => `[^1]: ${indent(text, '    ')}\n\nx[^1]`,
  (text) => `Term\n: ${indent(text, '    ')}`,
  (text) => `[x]: /y "\n${text}\n"`,
  (text) => `$${text}$`,
  (text) => `$$\n${text}\n$$`,
  (text) => `---\n${text}\n---`,
  (text) => `x\n\n${text}\n\ny`,
  (text) => `\t${text}`,
  (text) => `${text}\n${text}`,
  (text) => `!!! note\n    ${indent(text, '    ')}`,
  (text) => `=== "Tab"\n\n    ${indent(text, '    ')}`,
  (text) => `(1) x\n\n    ${indent(text, '    ')}`,
  (text) => `-\n  ${indent(text, '  ')}`,
  (text) => `-     x\n\n  ${indent(text, '  ')}`,
  (text) => `-\tx\n\n\t${indent(text, '\t')}`,
  (text, mark) => `- - ${mark}\n    ${indent(text, '    ')}\n    ${mark}`,
  (text, mark) => `[^1]: ${mark}\n    ${indent(text, '    ')}\n    ${mark}\n\nx[^1]`,
  (text, mark) => `>> ${mark}\n> ${text}\n>> ${mark}`,
  (text, mark) => `- x\n\n  ${mark}\n${text}\n  ${mark}`,
  (text) => `x\n\u00a0\n${text}`,
  (text) => `[x](y "\`") ${text} [z](w "\`")`,
  (text) => `[x](y '\n\`') ${text} [z](w '\`')`,
  (text) => `x <b title="<" y="\`"> ${text} \`</b>`,
  (text) => `https://x.example/\` ${text} \``,
  (text) => `*x*{: title="\`"} ${text} *z*{: title="\`"}`,
  (text) => `+---+---+\n| \`a | ${text} \` |\n+---+---+`,
  (text) => `$a ${text}$`,
  (text) => `::: tip\n${text}\n:::`,
  (text, mark) => `::: tip\n${mark}\n:::\n${mark}\n\n${mark}\n${text}\n${mark}\n:::`,
  // What ends a list, and the code in it.
  (text, mark) => `- x\n\n  ---\n\n  ${mark}\n  x\n\n${text}\n\n  ${mark}`,
  (text, mark) => `- - x\n\n    ${mark}\n    x\n\n  ${text}\n\n    ${mark}`,
  (text, mark) => `-      x\n\n  ${mark}\n  x\n\n${text}\n\n  ${mark}`,
  (text, mark) => `-\tx\n\n    ${mark}\n    x\n\n${text}\n\n    ${mark}`,
  (text, mark) => `> - x\n>\n>   ${mark}\n>   x\n>\n> ${text}\n>\n>   ${mark}`,
];

export const html: Some<string> = [
  '<img src=x onerror=canary()>',
  '<script>canary()</script>',
  '[x](javascript:canary())',
  '[x][y]\n\n[y]: javascript:canary()',
  '<a href="java&#9;script:canary()">x</a>',
  '<svg/onload=canary()>',
  '<iframe srcdoc="<b>canary"></iframe>',
  '<javascript:canary()>',
  '<b\nonclick="canary()">x</b>',
  '<x-y onclick="canary()"></x-y>',
  '![`" onerror="canary()`](y)',
  `[x](y 'a" onclick="canary()')`,
];

const attributeLists: readonly string[] = [
  '# x {: onclick="canary()" }',
  '# x { #x onclick="canary()" }',
  '[x](y){: onclick="canary()"}',
  '![x](y){onclick="canary()"}',
  '*x*{:onclick="canary()"}',
  '{:x: onclick="canary()"}\n\ny\n{:x}',
  'x\n{: href="javascript:canary()"}',
];

/** Where front matter ends, readers differ. */
const heads: Some<string> = [
  '',
  ...Array<string>(8).fill(''),
  '---\ntitle: x\n---\n\n',
  '---\na: b\n...\n',
  '---\na: b\n---x\n',
  '---\na: |\n  ---\n',
  '---\n- a\n---\n',
  '---\n```\n---\n',
  'title: x\n    ```\n\n',
  '\uFEFF',
];

export const markdown: PageGrammar = { live: [...html, ...attributeLists], wrappers: markdownWrappers, heads };

export const mdx: PageGrammar = {
  live: [
    '{canary()}',
    '<b a={canary()} />',
    'export const x = canary()',
    "import 'canary'",
    '{`${canary()}`}',
    '<canary.x {...canary()} />',
    '{/* */ canary()}',
    '<b>{canary}</b>',
    '<Canary />',
    '<éCanary />',
    'export default canary',
    'export const a = <b c={canary()} />',
    '$a`$ {canary()} `$',
    '[x](pathname://javascript:canary())',
  ],
  wrappers: [
    ...markdownWrappers,
    (text) => `<b>\n${text}\n</b>`,
    (text) => `{/* ${text} */}`,
    (text) => `{"${text}"}`,
    (text) => `[x](y "$a") ${text} [z](w "$")`,
    (text) => `<Part title="${text}" />`,
    (text) => `<Part\n  title='a \`b\` ${text}'\n/>`,
    (text) => `<Part title={\`${text}\`} />`,
    (text) => `<b title="\`" />${text}<b title="\`" />`,
    (text, mark) => `   ${mark}js {1,3}\n${text}\n ${mark}`,
    (text, mark) => `<b>\n  ${mark}\n  x\n${mark}\n${text}\n</b>`,
    (text) => `    1. x\n\n       ${text.replaceAll('\n', '\n       ')}`,
    (text, mark) => `    - ${mark}\n      ${text}\n\n      ${mark}`,
    (text, mark) => `      - x\n\n        ${mark}\n        x\n\n${text}\n\n        ${mark}`,
    (text) => `- x\n  $$\n${text}\n  $$`,
    (text) => `> $$\n${text}\n> $$`,
  ],
  heads: [
    '',
    '',
    '---\ntitle: x\n---\n\n',
    '---\n{canary()}\n---\n',
    '---\na: b: {canary()}\n---\n',
    '+++\na = "{canary()}"\n+++\n',
  ],
};

/** Paths of the file with the canary, and of the one beside the repository. */
export const readFrom = (outside: string): Some<string> => ['../.env', '/.env', '.env', outside, '../../canary.txt'];
