import { type DefaultTreeAdapterTypes, parseFragment } from 'parse5';

type Node = DefaultTreeAdapterTypes.Node;

const elements = new Set(
  'a blockquote br code del em h1 h2 h3 h4 h5 h6 hr img input li ol p pre strong table tbody td th thead tr ul'.split(
    ' ',
  ),
);
const drawn = /language-(?:mermaid|geojson|topojson|stl|math|suggestion)\b/;
const allowedHosts = ['github.com', 'acme.dev'];
const ownFiles = 'https://github.com/acme/docs/raw/';

/** What rendered Markdown would do on GitHub besides being read. */
export function findFaults(html: string): string[] {
  const faults: string[] = [];
  let visible = '';
  /** Also what stands in links and code: a word there parts a keyword from an address. */
  let said = '';
  look(parseFragment(html), false);
  if (/@[a-z\d]/i.test(visible)) faults.push('a mention');
  if (/#\d|(?<![a-z\d])GH-\d/i.test(visible)) faults.push('a reference');
  if (/(?:https?:\/\/|(?<![a-z\d])www\.)[a-z\d.]*evil/i.test(visible)) faults.push('a bare address');
  return faults;

  function look(node: Node, isQuiet: boolean): void {
    if ('data' in node) faults.push('a comment');
    if ('value' in node) {
      visible += isQuiet ? '·' : node.value;
      said += node.value;
    }
    if ('tagName' in node) {
      if (!elements.has(node.tagName)) faults.push(`<${node.tagName}>`);
      for (const { name, value } of node.attrs) lookAtAttribute(node.tagName, name, value);
      const isInline = /^(?:em|strong|del|a|code)$/.test(node.tagName);
      visible += isInline ? '·' : '\n';
      said += isInline ? '' : '\n';
    }
    if (!('childNodes' in node)) return;
    for (const child of node.childNodes) look(child, isQuiet || ['a', 'code'].includes(node.nodeName));
  }

  function lookAtAttribute(tag: string, name: string, value: string): void {
    if (name === 'title') faults.push('a title');
    if (name === 'class' && drawn.test(value)) faults.push('a drawing');
    if (name === 'src' && !value.startsWith(ownFiles)) faults.push(`an image at ${value}`);
    if (name !== 'href') return;
    const url = URL.parse(value, 'https://github.com/acme/docs/pull/1');
    const isAllowed = url && /^https?:$/.test(url.protocol) && allowedHosts.includes(url.host) && url.username === '';
    if (!isAllowed) faults.push(`a ${tag} to ${value}`);
    const isClosing = /(?:^|[^a-z\d])(?:close[sd]?|fix(?:e[sd])?|resolve[sd]?)[^a-z\d]*$/i.test(said);
    if (isClosing && url && /\/issues\/\d/.test(url.pathname)) faults.push('a closing keyword');
  }
}
