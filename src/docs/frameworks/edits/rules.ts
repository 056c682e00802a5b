import type { EntryRules } from './data-files.ts';

// Values that may be new, for keys that are not harmless with every value.

export const isRedirectStatus = (value: unknown): boolean =>
  [301, 302, 303, 307, 308, 404, 410].includes(Number(value));

export const isName = (value: unknown): boolean =>
  typeof value === 'string' && /^[\w ./:-]*$/.test(value) && !/:\/\//.test(value);

export const isPath = (value: unknown): boolean => typeof value === 'string' && !/^[a-z]+:|^[\\/]{2}/i.test(value);

const isColor = (value: unknown): boolean => /^#[\da-f]{3,8}$/i.test(String(value));

export const oneOf = (words: string) => {
  const allowed = new Set(words.split(' '));
  return (value: unknown): boolean => typeof value === 'string' && allowed.has(value);
};

export const isTarget = oneOf('_self _blank _parent _top');

/** A pattern that VitePress and Docusaurus make a regular expression of: nothing that can repeat a repetition. */
export const isPattern = (value: unknown): boolean => typeof value === 'string' && /^\^?[\w/.|:-]*\$?$/.test(value);

/** A pattern that a server tries on every request: no group that repeats stands in another one. No request leads out of its folder. */
export function isSource(value: unknown): boolean {
  if (typeof value !== 'string' || !isPath(value) || value.split(/[/?#]/).includes('..')) return false;
  let depth = 0;
  for (const [at, character] of value.split('').entries()) {
    if (character === '(') depth += 1;
    if (character !== ')') continue;
    if (depth > 1 && /[*+{]/.test(value[at + 1] ?? '')) return false;
    depth -= 1;
  }
  return true;
}

// Rules that several frameworks share.

/** Fields of redirects in all formats. A status of 200 would be a proxy. */
export const redirectRules = {
  // No link: it may hold `\\d+`.
  texts: ['source'],
  keys: ['source', 'destination', 'permanent', 'statusCode', 'from', 'to', 'status', 'force'],
  values: { status: isRedirectStatus, statusCode: isRedirectStatus, source: isSource, from: isSource },
} as const satisfies EntryRules;

/** https://www.mintlify.com/docs/organize/navigation, https://gofumadocs.com/docs/headless/page-conventions and so on. */
export const navigationRules = {
  keys: [
    ...['languages', 'language', 'tabs', 'tab', 'anchors', 'anchor', 'dropdowns', 'dropdown', 'products', 'product'],
    ...['versions', 'version', 'groups', 'group', 'pages', 'menu', 'item', 'items', 'root', 'href', 'url', 'link'],
    ...['icon', 'iconType', 'hidden', 'tag', 'default', 'expanded', 'description', 'openapi', 'asyncapi', 'global'],
    ...['boost', 'searchable', 'directory', 'name', 'title', 'label', 'type', 'id', 'slug', 'position', 'collapsed'],
    ...['collapsible', 'key', 'keywords', 'dirName', 'weight', 'identifier', 'parent', 'pageRef', 'defaultOpen'],
    ...['source', 'color', 'light', 'dark'],
  ],
  texts: ['tab', 'anchor', 'dropdown', 'product', 'group', 'item', 'title', 'label', 'name', 'description', 'keywords'],
  values: {
    icon: isName,
    type: isName,
    openapi: isPath,
    asyncapi: isPath,
    source: isPath,
    directory: isPath,
    color: isColor,
    light: isColor,
    dark: isColor,
  },
} as const satisfies EntryRules;

/** Entries whose keys are names or addresses, such as menus. */
export const menuRules: EntryRules = { ...navigationRules, keys: 'any' };

/** Titles, paths and nothing else. */
export const pagesRules: EntryRules = { keys: 'any' };

/** Names or addresses with a page, a title or a text each. */
export const namesRules: EntryRules = {
  keys: 'any',
  texts: ['title', 'label', 'message', 'description', 'other', 'one'],
};

// In code.

export const titles = ['text', 'label', 'title', 'message', 'copyright', 'description', 'ariaLabel', 'docFooterText'];

export const displayKeys = [
  ...['icon', 'badge', 'variant', 'target', 'rel', 'class', 'className', 'collapsed', 'collapsible'],
];

export const linkValues = {
  target: isTarget,
  rel: isName,
  icon: isName,
  class: isName,
  className: isName,
  variant: isName,
};

export const socialLinks: EntryRules = {
  keys: ['icon', 'link', 'href', 'label', 'ariaLabel'],
  texts: titles,
  values: { icon: isName },
};
