import { micromark } from 'micromark';
import { gfm, gfmHtml } from 'micromark-extension-gfm';
import { type DefaultTreeAdapterTypes, parseFragment } from 'parse5';

type Node = DefaultTreeAdapterTypes.Node;
type Element = DefaultTreeAdapterTypes.Element;

interface Place {
  webUrl: string;
  /** Hosts that links may lead to. */
  hosts: readonly string[];
}

/** Elements that Markdown makes. All others were HTML in the text. */
const elementsOfMarkdown = new Set(
  'a blockquote br code del em h1 h2 h3 h4 h5 h6 hr img input li ol p pre section strong sub sup table tbody td th thead tr ul'.split(
    ' ',
  ),
);
/** GitHub draws these fenced blocks, in a frame that loads the addresses in them. */
const drawn = /language-(?:mermaid|geojson|topojson|stl)\b/;
/** The empty comment breaks references. */
const ourComment = /^ (?:pagewright:[^>]*)?$/;
/** Characters that nobody sees, or that turn text round. */
export const invisible = new RegExp(
  [
    /[\u00ad\u061c\u115f\u1160\u180e\u200e\u200f\u202a-\u202e\u2061-\u206f\u3164\uffa0]/,
    /\u034f|\u17b4|\u17b5|[\ufe00-\ufe0e]|[\u{e0000}-\u{e0fff}]/u,
    /[\u200b-\u200d\u2060\ufeff]{3}/,
  ]
    .map(({ source }) => source)
    .join('|'),
  'u',
);
const mention = /(?<![\w`/])@[a-z\d]/i;
const reference = /(?<![\w&])(?:#|gh-)\d/i;
const closing = /\b(?:close[sd]?|fix(?:e[sd])?|resolve[sd]?):?\s+(?:https?:|\S+\/\S+#\d)/i;

/** Describes the effects of a comment or body on GitHub beyond being read. Renders it as GitHub does, but without GitHub's sanitizer. */
export function findTextFaults(text: string, place: Place): string[] {
  const faults = new Set<string>();
  const html = micromark(text, {
    allowDangerousHtml: true,
    allowDangerousProtocol: true,
    extensions: [gfm()],
    htmlExtensions: [gfmHtml()],
  });
  let shown = '';
  let followed = '';
  const look = (node: Node, isCode: boolean): void => {
    if ('data' in node && !ourComment.test(node.data)) faults.add('an HTML comment');
    if ('value' in node) {
      shown += node.value;
      if (!isCode) followed += node.value;
      if (!isCode && mention.test(node.value)) faults.add('a mention');
      if (!isCode && reference.test(node.value)) faults.add('a reference');
    }
    if ('tagName' in node) {
      for (const fault of findElementFaults(node, place)) faults.add(fault);
      const address = node.tagName === 'a' ? (node.attrs.find(({ name }) => name === 'href')?.value ?? '') : '';
      followed += address;
      // Readers see where a link leads, and only to friends.
      shown += address;
    }
    if (!('childNodes' in node)) return;
    for (const child of node.childNodes) look(child, isCode || node.nodeName === 'code');
  };
  look(parseFragment(html), false);
  if (closing.test(followed)) faults.add('a closing keyword');
  const withoutCode = text.replace(/^ {0,3}(```+|~~~+)[\s\S]*?(?:^ {0,3}\1|$(?![\s\S]))/gm, '');
  if (/^ {0,3}\/[a-z]/im.test(withoutCode)) faults.add('a slash command');
  if (invisible.test(text)) faults.add('invisible characters');
  // A short piece of one may name the language of a block.
  for (const word of text.match(/canary\d{4,}/g) ?? [])
    if (!shown.includes(word)) faults.add('words that no reader sees');
  return [...faults];
}

function findElementFaults({ tagName, attrs }: Element, { webUrl, hosts }: Place): string[] {
  const found = elementsOfMarkdown.has(tagName) ? [] : [`<${tagName}>`];
  for (const { name, value } of attrs) {
    if (name === 'title') found.push('a title that only a pointer shows');
    if (name === 'class' && drawn.test(value)) found.push('a block that GitHub draws');
    if ((name !== 'href' && name !== 'src') || value.startsWith('#')) continue;
    const url = URL.parse(value, `${webUrl}/owner/docs/pull/1`);
    const isFriendly = url !== null && /^https?:$/.test(url.protocol) && hosts.includes(url.host);
    if (!isFriendly) found.push(`${tagName === 'img' ? 'an image' : 'a link'} to ${url?.host || value}`);
  }
  return found;
}

/** The same for titles and commit messages, in which GitHub links addresses, names and references, and nothing else. */
export function findPlainFaults(text: string, { hosts }: Place): string[] {
  const prose = text.replace(/`[^`\n]+`/g, '');
  const addresses = prose.match(/(?:https?:\/\/|(?<![\w.])www\.)[^\s<>]+/gi) ?? [];
  const foreign = addresses.filter((address) => {
    const url = URL.parse(/^http/i.test(address) ? address : `http://${address}`);
    return !url || !hosts.includes(url.host);
  });
  return [
    ...foreign.map((address) => `a link to ${address}`),
    ...(mention.test(prose) ? ['a mention'] : []),
    ...(reference.test(prose) ? ['a reference'] : []),
    ...(closing.test(prose) ? ['a closing keyword'] : []),
    ...(invisible.test(text) ? ['invisible characters'] : []),
  ];
}
