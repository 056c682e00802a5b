import type { EntryRules } from './entries.ts';

/** A part of a file that may change. `at`: the keys that lead to it; `*` is each item of a list, [] the whole file. */
export interface Container extends EntryRules {
  at: readonly string[];
}

/** A file of a framework of which only the data may change. */
export interface DataFile {
  format: 'json' | 'toml' | 'yaml' | 'redirects' | 'summary';
  containers: readonly Container[];
  /** For people and models: `its navigation and redirects`. */
  what: string;
}

export const isRedirectStatus = (value: unknown): boolean =>
  [301, 302, 303, 307, 308, 404, 410].includes(Number(value));
export const isName = (value: unknown): boolean =>
  typeof value === 'string' && /^[\w ./:-]*$/.test(value) && !/:\/\//.test(value);
export const isPath = (value: unknown): boolean => typeof value === 'string' && !/^[a-z]+:|^[\\/]{2}/i.test(value);

const isColor = (value: unknown): boolean => /^#[\da-f]{3,8}$/i.test(String(value));

function isBookTarget(value: unknown): boolean {
  const isPage = /^(?!\/\/)[\w./%#~-]+$/;
  return (
    typeof value === 'string' &&
    (isPage.test(value) || /^https?:\/\/[\w.-]+(?::\d+)?(?:[/?#][^\s<>"'\\]*)?$/.test(value))
  );
}

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

/** Fields of redirects in all formats. A status of 200 would be a proxy. */
export const redirectRules: EntryRules = {
  // No link: it may hold `\\d+`.
  texts: ['source'],
  keys: ['source', 'destination', 'permanent', 'statusCode', 'from', 'to', 'status', 'force'],
  values: { status: isRedirectStatus, statusCode: isRedirectStatus, source: isSource, from: isSource },
};

/** https://www.mintlify.com/docs/organize/navigation, https://gofumadocs.com/docs/headless/page-conventions and so on: see frameworks.ts. */
export const navigationRules: EntryRules = {
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
};

/** Files that Mintlify refers to hold either. */
export const referencedRules: EntryRules = {
  keys: [navigationRules, redirectRules].flatMap(({ keys }) => (keys === 'any' ? [] : keys)),
  texts: [...(navigationRules.texts ?? []), ...(redirectRules.texts ?? [])],
  values: { ...navigationRules.values, ...redirectRules.values },
};

/** https://rust-lang.github.io/mdBook/format/configuration/renderers.html#outputhtmlredirect: each key is a file that mdBook writes. */
export const bookRules: EntryRules = {
  keys: [],
  otherKeys: /^\/(?!.*\.\.)[\w./%#~-]+$/,
  isClosed: true,
  links: [],
  values: { '*': isBookTarget },
};

/** Names or addresses with a page, a title or a text each. */
export const namesRules: EntryRules = {
  keys: 'any',
  texts: ['title', 'label', 'message', 'description', 'other', 'one'],
};

export const metaRules: EntryRules = { ...namesRules, links: ['href', 'url', 'link', 'src'] };
