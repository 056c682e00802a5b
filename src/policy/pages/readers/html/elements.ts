import type { Findings } from '../../page-code.ts';
import type { Dialect } from '../dialect.ts';
import { scanElement } from './attributes.ts';
import { listRawTags, type RawTag } from './tags.ts';
import { nameComponent, scanVueElement } from './vue.ts';

type ElementDialect = Pick<Dialect, 'vue' | 'braces' | 'components'>;

/** Raw HTML, wherever a reader could see a tag. `live`: the page without code; `text`: the page as it is. */
export function scanElements(findings: Findings, live: string, text: string, dialect: ElementDialect): void {
  let scriptEnd = 0;
  for (const tag of listRawTags(live)) {
    const attributes = tag.attributes.map(([name, value]) => [name, value ?? ''] as const);
    scanElement(findings, { tag: tag.name, attributes });
    if (tag.start >= scriptEnd) scriptEnd = scanScript(findings, tag, text);
    if (dialect.vue) scanVueElement(findings, { tag: tag.name, attributes }, dialect);
    // Actions and transitions are functions.
    for (const [name] of dialect.braces ? attributes : [])
      if (/^\s*(?:use|in|out|transition|animate|bind|let):/.test(name)) findings.add('attribute', name, { clue: name });
    const root = tag.name.split('.')[0] ?? tag.name;
    const shown = { clue: `<${root}`, shown: `<${root}>` };
    // It becomes any element or component.
    if (dialect.braces && root.startsWith('svelte:'))
      findings.add('component', `${root} ${attributes.map(([key, value]) => `${key}="${value}"`).join(' ')}`, shown);
    else if (dialect.braces && (/^[A-Z]/.test(root) || root !== tag.name) && !dialect.components.includes(root))
      findings.add('component', nameComponent(root), shown);
  }
}

/** A text that a theme may put into a page as it is. */
export const readPlainHtml = (findings: Findings, text: string): void =>
  scanElements(findings, text, text, { vue: false, braces: false, components: [] });

/** Scripts and style sheets are compared with their whole text. Returns where it ends: what looks like one within it is part of it. */
export function scanScript(findings: Findings, { name, attributes, end }: RawTag, text: string): number {
  const tag = name.toLowerCase();
  const local = tag.replace(/^.*:/s, '');
  if (local !== 'script' && local !== 'style') return 0;
  const close = findClose(text, local, end);
  const source = attributes.find(([key]) => /(?:^|:)(?:src|href)$/i.test(key))?.[1];
  const content = text.slice(end, close);
  const type = attributes.flatMap(([key, value]) =>
    /^(?:type|lang|setup|scoped|defer|async)$/i.test(key) ? [`${key}=${value}`] : [],
  );
  findings.add(local, [...(source == null ? [] : [`src="${source}"`]), ...type, content].join(' '), {
    ...(source == null && content.trim() === '' && { clue: `<${name}` }),
  });
  findings.addAddresses(content);
  return close;
}

function findClose(text: string, tag: string, from: number): number {
  const close = tag === 'script' ? /<\/\s{0,9}script/gi : /<\/\s{0,9}style/gi;
  close.lastIndex = from;
  return close.exec(text)?.index ?? text.length;
}
