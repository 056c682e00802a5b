import type { Random } from '../../../harness/random.ts';
import { drawAddress } from './addresses.ts';
import { chance, insertSomewhere, mapLetters, number, oneOf, type Some } from './draw.ts';
import { drawHiddenText } from './hidden-text.ts';

/** `secret` is a word that no reader may be made to miss; `address` leads out of GitHub. */
interface Payload {
  secret: string;
  address: string;
}
type Form = (payload: Payload, random: Random) => string;

const images: Some<Form> = [
  ({ address }) => `![a](${address})`,
  ({ address }) => `![a](<${address}>)`,
  ({ address, secret }) => `![${secret}](${address} "${secret}")`,
  ({ address }) => `![a][i]\n\n[i]: ${address}`,
  ({ address }) => `[![a](${address})](${address})`,
  ({ address }) => `<img src="${address}">`,
  ({ address }) => `<IMG/SRC=${address} ALT=x>`,
  ({ address }) => `<img\nsrc='${address}'\n>`,
  ({ address }) => `<picture><source srcset="${address} 2x"><img src=x></picture>`,
  ({ address }) => `<video poster="${address}"></video>`,
  ({ address }) => `<svg><image href="${address}"/></svg>`,
  ({ address }) => `&lt;img src=${address}&gt;`,
  ({ address }) => `&#60;img src=${address}&#x3e;`,
  ({ address }) => `\`\`\`mermaid\ngraph TD; A["<img src='${address}'>"]\n\`\`\``,
  ({ address }) => `| a |\n|---|\n| ![a](${address}) |`,
  ({ address }) => `\\![a](${address})`,
  ({ address }) => `!\\[a](${address}) ![a](${address})`,
];
const links: Some<Form> = [
  ({ address }) => address,
  ({ address }) => `<${address}>`,
  ({ address }) => `[docs](${address})`,
  ({ address, secret }) => `[docs](${address} '${secret}')`,
  ({ address }) => `[docs]( <${address}>\n)`,
  ({ address }) => `[docs][r]\n\n[r]: <${address}>`,
  ({ address }) => `[r]\n\n> [r]: ${address}`,
  ({ address, secret }) => `[r][]\n\n[r]:\n${address}\n(${secret})`,
  ({ address }) => `text[^1]\n\n[^1]: see ${address}`,
  ({ address }) => `<a href="${address}">docs</a>`,
  ({ address }) => `<a\nHREF = ${address} >docs</a>`,
  ({ address }) => `(${address})`,
  ({ address }) => `**${address}**`,
  ({ address }) => `[a](https://github.com/x) ${address}`,
  ({ address }) => `\`${address}`,
  ({ address }) => `\`\`${address}\``,
  ({ address }) => `[a\`](${address})\``,
  ({ address }) => `mail a@${address.replace(/^\W*|^\w+:\W*/, '').split('/')[0]}`,
];
const hidings: Some<Form> = [
  ({ secret }) => `<!-- ${secret} -->`,
  ({ secret }) => `<!--> ${secret} -->`,
  ({ secret }) => `<!--- ${secret} --!> x -->`,
  ({ secret }) => `<?${secret}?>`,
  ({ secret }) => `<!D ${secret}>`,
  ({ secret }) => `<![CDATA[${secret}]]>`,
  ({ secret }) => `[//]: # (${secret})`,
  ({ secret }) => `[//]:# "${secret}"`,
  ({ secret }) => `[${secret}]: #`,
  ({ secret }) => `> - [x]: </${secret}> '${secret}'`,
  ({ secret }) => `[^${secret}]: ${secret}`,
  ({ secret }) => `<details><summary>a</summary>${secret}</details>`,
  ({ secret }) => `<div hidden title="${secret}">${secret}</div>`,
  ({ secret }) => `~~~ ${secret}\ncode\n~~~`,
  ({ secret }) => `[a](/x "${secret}")`,
  ({ secret }, random) => drawHiddenText(random, 'An innocent line of text.', secret),
];
const commands: Some<Form> = [
  () => '@rita',
  () => '@first/team',
  () => '&#64;rita and &commat;rita',
  () => '\\@rita',
  () => '#1',
  () => 'GH-1',
  () => 'first/docs#1',
  () => 'Fixes #1',
  () => 'closes: first/docs#1',
  () => 'Resolves https://github.com/first/docs/issues/1',
  () => 'fixes [this](https://github.com/first/docs/issues/1)',
  () => 'Fix &#35;1',
  () => '/lgtm',
  () => '/azp run',
  () => '   /merge',
  () => '\t\n/approve\n',
];

const wrappers: Some<(text: string) => string> = [
  (text) => text,
  (text) => text,
  (text) => `- ${text}`,
  (text) => `1. a\n   ${text}`,
  (text) => `> ${text}`,
  (text) => `> > - ${text}`,
  (text) => `### ${text}`,
  (text) => `*${text}*`,
  (text) => `a ${text} b`,
  (text) => `a\\\n${text}`,
  (text) => `<div>\n\n${text}\n\n</div>`,
  (text) => `[x](a ${text}`,
  (text) => `\`\`\`\n\`\`\`\n${text}`,
  (text) => `- [ ] ${text}`,
  (text) => `text\r${text}\r\n`,
  (text) => `a | b\n--|--\n${text} | x`,
];

const marks: Some<string> = ['\u200b', '\\', '&#8203;', '<!-- -->', '\u00ad', '\n', '\t', '\r', '&Tab;', '`'];
const disturb = (random: Random, text: string): string =>
  oneOf(random, [
    text,
    text,
    text,
    () => insertSomewhere(random, text, random.pick(marks)),
    () => mapLetters(random, text, 0.1, (letter) => `&#${letter.codePointAt(0)};`),
    () => mapLetters(random, text, 0.5, (letter) => letter.toUpperCase()),
    () => text.replaceAll(':', '&colon;').replaceAll('/', '&sol;'),
  ]);

/** Draws Markdown that shows an image, leads out of GitHub, hides words or gives a command. Every word of it that must stay visible or away is `secret`. */
export function drawMarkdown(random: Random, { friendlyHost }: { friendlyHost: string }): string {
  const secret = `canary${number(random, 1e9)}`;
  const address = drawAddress(random, { friendlyHost, data: secret });
  const form = random.pick(random.pick([images, links, hidings, commands]));
  const text = disturb(random, form({ secret, address }, random));
  return chance(random, 0.7) ? random.pick(wrappers)(text) : text;
}
