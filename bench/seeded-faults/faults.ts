import { posix } from 'node:path';
import { blankCode } from '../../src/checks/pages/blank-code.ts';
import { drawLink, linksTo, replaceLink } from './find-links.ts';
import { append, draw, drawPage, type Ground, type Seed, tells } from './seed.ts';

const isParsedAsMdx = (framework: string, path: string) =>
  framework !== 'Markdown' && (path.endsWith('.mdx') || /^(?:Docusaurus|Mintlify)$/.test(framework));

/** The last name of an address becomes one that nothing has. */
function misspell(target: string): string {
  const [, path = '', rest = ''] = /^([^?#]*)(.*)$/s.exec(target) ?? [];
  return path.replace(/([^/.]+)((?:\.\w+)?\/?)$/, 'zz-$1-qx$2') + rest;
}

/** Appends to a page that its framework parses in a certain way. */
const inPage =
  (
    added: string,
    fits: (framework: string, path: string) => boolean,
    kind: 'syntax' | 'component' | 'name' | 'link' | 'image' | 'import',
  ): Seed =>
  (ground) => {
    const page = drawPage(ground, (site, path) => fits(site.framework, path));
    if (!page) return undefined;
    const change = new Map([[page.path, append(page.text, added)]]);
    return { framework: page.site.framework, change, isTold: tells(page.path, kind) };
  };

const mdx = (added: string, kind: 'syntax' | 'component' | 'name' = 'syntax') => inPage(added, isParsedAsMdx, kind);
const of =
  (...names: string[]) =>
  (framework: string) =>
    names.includes(framework);

/** Edits a page with a certain text. */
const edit =
  (
    pattern: RegExp,
    replacement: string,
    isTold: 'syntax' | 'front-matter' | 'component' | 'import',
    only?: RegExp,
  ): Seed =>
  (ground) => {
    const page = drawPage(
      ground,
      (site, path, text) =>
        pattern.test(text) &&
        (only?.test(site.framework) ?? true) &&
        site.addressesOf(path, needPage(site, path)).length >= 0,
    );
    if (!page) return undefined;
    const change = new Map([[page.path, page.text.replace(pattern, replacement)]]);
    return { framework: page.site.framework, change, isTold: tells(page.path, isTold) };
  };

function needPage(site: Ground['sites'][number], path: string) {
  const page = site.pages.get(path);
  if (!page) throw new Error(`${path} is no page`);
  return page;
}

const isMarkdown = (path: string) => /\.mdx?$/.test(path);

const breakLink: Seed = (ground) => {
  const drawn = drawLink(
    ground,
    ({ link, found }) =>
      link.kind === 'link' &&
      found.kind === 'page' &&
      misspell(link.target) !== link.target &&
      !link.target.startsWith('#'),
  );
  if (!drawn) return undefined;
  const change = new Map([[drawn.path, replaceLink(drawn.text, drawn.link, misspell(drawn.link.target))]]);
  return { framework: drawn.site.framework, change, isTold: tells(drawn.path, 'link') };
};

const breakImage: Seed = (ground) => {
  const drawn = drawLink(ground, ({ link, found }) => link.kind === 'image' && found.kind === 'file');
  if (!drawn) return undefined;
  const change = new Map([[drawn.path, replaceLink(drawn.text, drawn.link, misspell(drawn.link.target))]]);
  return { framework: drawn.site.framework, change, isTold: tells(drawn.path, 'image') };
};

const breakAnchor: Seed = (ground) => {
  const drawn = drawLink(
    ground,
    ({ found, site }) => found.kind === 'page' && found.anchor.length > 3 && site.pages.has(found.path),
  );
  if (!drawn) return undefined;
  const target = drawn.link.target.replace(/#.*$/, '#zz-no-such-heading');
  const change = new Map([[drawn.path, replaceLink(drawn.text, drawn.link, target)]]);
  return { framework: drawn.site.framework, change, isTold: tells(drawn.path, 'anchor') };
};

const renameHeading: Seed = (ground) => {
  const drawn = drawLink(ground, ({ found, path, site }) => {
    if (found.kind !== 'page' || found.path === path || found.anchor === '') return false;
    const target = site.pages.get(found.path);
    const text = ground.tree.read(found.path);
    const named =
      target?.headings.filter((each) => site.slug(each.text) === found.anchor && each.id === undefined) ?? [];
    const lines = text?.split('\n').filter((line) => line.replace(/^#+\s+/, '').trim() === named[0]?.text) ?? [];
    const others = [...(target?.titles ?? []), ...(target?.ids ?? [])].some(
      (title) => title === found.anchor || site.slug(title) === found.anchor,
    );
    return (
      named.length === 1 && lines.length === 1 && !others && !target?.parts.some((part) => /^[./@]/.test(part.target))
    );
  });
  const { path = '', anchor = '' } = drawn?.found.kind === 'page' ? drawn.found : {};
  const text = ground.tree.read(path);
  const heading = drawn?.site.pages.get(path)?.headings.find((each) => drawn.site.slug(each.text) === anchor);
  if (!drawn || text === undefined || !heading) return undefined;
  const line = text.split('\n').find((each) => /^#/.test(each) && each.replace(/^#+\s+/, '').trim() === heading.text);
  if (line === undefined) return undefined;
  const change = new Map([[path, text.replace(line, `${/^#+/.exec(line)?.[0]} Zz unheard of`)]]);
  return { framework: drawn.site.framework, change, isTold: tells(drawn.path, 'anchor') };
};

const deletePage: Seed = (ground) => {
  const page = drawPage(
    ground,
    (site, path) => !isServedOtherwise(ground, site, path) && linksTo(ground, site, path).length > 0,
  );
  if (!page) return undefined;
  return {
    framework: page.site.framework,
    change: new Map([[page.path, null]]),
    isTold: tells(undefined, 'link', 'navigation', 'redirect'),
  };
};

const movePage: Seed = (ground) => {
  const page = drawPage(
    ground,
    (site, path) =>
      !isServedOtherwise(ground, site, path) && !keepsAddress(site, path) && linksTo(ground, site, path).length > 0,
  );
  if (!page) return undefined;
  const change = new Map([
    [page.path, null],
    [movedPath(page.path), page.text],
  ]);
  return { framework: page.site.framework, change, isTold: tells(undefined, 'link', 'navigation', 'redirect') };
};

const movedPath = (path: string) => path.replace(/([^/]+)(\.\w+)$/, 'zz-$1-moved$2');

/** Its front matter names it. */
const keepsAddress = (site: Ground['sites'][number], path: string) =>
  site.addressesOf(path, needPage(site, path))[0] === site.addressesOf(movedPath(path), needPage(site, path))[0];

/** Another page, a folder or a redirect answers when it is gone. */
function isServedOtherwise({ tree }: Ground, site: Ground['sites'][number], path: string): boolean {
  const addresses = site.addressesOf(path, needPage(site, path));
  const isFolder = /(?:^|\/)(?:index|readme|page)\.\w+$/i.test(path) || tree.hasFolder(path.replace(/\.\w+$/, ''));
  return (
    isFolder ||
    addresses.some(
      (address) =>
        (site.alternatives?.(address, path) ?? []).some(
          (other) => other !== address && site.byAddress.has(other.toLowerCase()),
        ) || site.isRedirected(address),
    )
  );
}

const deleteImage: Seed = (ground) => {
  const drawn = drawLink(ground, ({ link, found }) => link.kind === 'image' && found.kind === 'file');
  if (!drawn) return undefined;
  return {
    framework: drawn.site.framework,
    change: new Map([[drawn.found.path, null]]),
    isTold: tells(drawn.path, 'image'),
  };
};

const breakImport: Seed = (ground) => {
  const page = drawPage(ground, (site, path) => {
    const parts = site.pages.get(path)?.parts ?? [];
    return parts.some(({ target }) => /^(?:\.{1,2}\/|@site\/)\S+\.mdx?$/.test(target));
  });
  const part = page?.site.pages
    .get(page.path)
    ?.parts.find(({ target }) => /^(?:\.{1,2}\/|@site\/)\S+\.mdx?$/.test(target));
  if (!page || !part) return undefined;
  const text = page.text.slice(0, part.start) + misspell(part.target) + page.text.slice(part.end);
  return { framework: page.site.framework, change: new Map([[page.path, text]]), isTold: tells(page.path, 'import') };
};

const closingTag = /^<\/[A-Z]\w+>$/gm;

/** Removes the last closing tag that stands alone on a line. */
const unclose: Seed = (ground) => {
  const find = (text: string) => [...blankCode(text, { isMdx: true }).prose.matchAll(closingTag)].at(-1);
  const page = drawPage(ground, (site, path, text) => isParsedAsMdx(site.framework, path) && find(text) !== undefined);
  const tag = page && find(page.text);
  if (!page || !tag) return undefined;
  const text = page.text.slice(0, tag.index) + page.text.slice(tag.index + tag[0].length);
  return { framework: page.site.framework, change: new Map([[page.path, text]]), isTold: tells(page.path, 'syntax') };
};

/** Removes the closing mark of the first fence, where another with a language follows. */
const mergeFences: Seed = (ground) => {
  const first = /^```\w+[^\n`]*\n(?:(?!```)[^\n]*\n)*```\n(?=(?:(?!`{3})[^\n]*\n)*```\w)/m;
  const page = drawPage(
    ground,
    (_, path, text) => isMarkdown(path) && first.test(text) && !/^(?:`{4,}|~{3,})/m.test(text),
  );
  if (!page) return undefined;
  const text = page.text.replace(first, (found) => found.replace(/```\n$/, ''));
  return { framework: page.site.framework, change: new Map([[page.path, text]]), isTold: tells(page.path, 'syntax') };
};

/** Of one component, which stands in a tag of the page, and which no other page has without importing it. */
const removeImport: Seed = (ground) => {
  const statement = /^import \{ ?(\w+) ?\} from [^\n]*$/m;
  const find = (site: Ground['sites'][number], path: string, text: string) =>
    blankCode(text, { isMdx: true }).scripts.find((script) => {
      const name = statement.exec(script.text)?.[1];
      return site.pages.get(path)?.tags.some((tag) => tag.name === name) ?? false;
    });
  const page = drawPage(
    ground,
    (site, path, text) =>
      /^(?:Starlight|Nextra)$/.test(site.framework) && path.endsWith('.mdx') && find(site, path, text) !== undefined,
  );
  const script = page && find(page.site, page.path, page.text);
  if (!page || !script) return undefined;
  const kept = script.text.replace(statement, '');
  const text = page.text.slice(0, script.start) + kept + page.text.slice(script.start + script.text.length);
  return {
    framework: page.site.framework,
    change: new Map([[page.path, text]]),
    isTold: tells(page.path, 'component'),
  };
};

const dataNavigation = (ground: Ground) =>
  ground.sites.flatMap((site) =>
    [...new Set(site.navigation.map(({ file }) => file))]
      .filter((file) => /\.(?:json|ya?ml|md)$/.test(file))
      .map((file) => ({ site, file, text: ground.tree.read(file) ?? '' })),
  );

const breakNavigation: Seed = (ground) => {
  const drawn = draw(
    dataNavigation(ground).filter(({ file }) => /\.json$/.test(file)),
    ground.random,
  );
  if (!drawn) return undefined;
  const text = drawn.text.replace(/\](?=[^\]]*$)/, '');
  return {
    framework: drawn.site.framework,
    change: new Map([[drawn.file, text]]),
    isTold: tells(drawn.file, 'navigation'),
  };
};

const breakEntry: Seed = (ground) => {
  const drawn = draw(dataNavigation(ground), ground.random);
  const entry =
    drawn &&
    draw(
      drawn.site.navigation.filter(({ file, page }) => file === drawn.file && page !== undefined),
      ground.random,
    );
  if (!drawn || !entry) return undefined;
  const text =
    drawn.text.slice(0, entry.start) + misspell(drawn.text.slice(entry.start, entry.end)) + drawn.text.slice(entry.end);
  return {
    framework: drawn.site.framework,
    change: new Map([[drawn.file, text]]),
    isTold: tells(drawn.file, 'navigation'),
  };
};

/** Beside a page that is listed. */
const addUnlisted: Seed = (ground) => {
  const entries = ground.sites.flatMap((site) =>
    site.navigationFile === undefined
      ? []
      : site.navigation.flatMap(({ page }) => (page === undefined || !site.mustBeListed(page) ? [] : [{ site, page }])),
  );
  const drawn = draw(entries, ground.random);
  if (!drawn) return undefined;
  const name = posix.basename(drawn.page);
  const path = name.startsWith('page.')
    ? posix.join(posix.dirname(posix.dirname(drawn.page)), 'zz-new', name)
    : posix.join(posix.dirname(drawn.page), `zz-new${posix.extname(drawn.page)}`);
  const change = new Map([[path, '---\ntitle: New\n---\n\nNew.\n']]);
  return { framework: drawn.site.framework, change, isTold: tells(path, 'unlisted') };
};

const breakRedirect: Seed = (ground) => {
  const drawn = draw(
    ground.sites.flatMap((site) => (site.redirects ?? []).map((redirect) => ({ site, redirect }))),
    ground.random,
  );
  const { to, file, start, end } = drawn?.redirect ?? {};
  const text = ground.tree.read(file ?? '');
  if (!drawn || !to?.startsWith('/') || /[:*$?]/.test(to) || file === undefined || text === undefined) return undefined;
  // A route with a name to fill in answers everywhere in its folder.
  if (text.slice(start, end) !== to || drawn.site.isRedirected(misspell(to))) return undefined;
  const changed = text.slice(0, start) + misspell(to) + text.slice(end);
  return { framework: drawn.site.framework, change: new Map([[file, changed]]), isTold: tells(file, 'redirect') };
};

/** In a site that keeps some, a page goes with all links to it. */
const loseAddress: Seed = (ground) => {
  const page = drawPage(
    ground,
    (site, path) =>
      site.redirects.some(({ to }) => site.byAddress.has(to?.toLowerCase() ?? '')) &&
      site.addressesOf(path, needPage(site, path)).length > 0 &&
      !isServedOtherwise(ground, site, path),
  );
  if (!page) return undefined;
  return { framework: page.site.framework, change: new Map([[page.path, null]]), isTold: tells(undefined, 'redirect') };
};

/** Kinds of faults by name. */
export const faults: Record<string, Seed> = {
  'link to a page that does not exist': breakLink,
  'image that does not exist': breakImage,
  'anchor that does not exist': breakAnchor,
  'heading renamed that others link to': renameHeading,
  'page deleted that others link to': deletePage,
  'page moved that others link to': movePage,
  'image deleted that is shown': deleteImage,
  'import of a part that does not exist': breakImport,
  'less-than sign in MDX': mdx('For sizes <5 MB.'),
  'brace in MDX': mdx('Set {your key here}.'),
  'brace in MDX that is not closed': mdx('Set {key.'),
  'comment of HTML in MDX': inPage(
    '<!-- later -->',
    (name, path) => isParsedAsMdx(name, path) && name !== 'Docusaurus',
    'syntax',
  ),
  'address in angle brackets in MDX': mdx('See <https://example.com/a>.'),
  'component not closed in MDX': mdx('<Zebra>\n\nText.'),
  'tags closed in the wrong order in MDX': mdx('<b><i>text</b></i>'),
  'quote of an attribute left open in MDX': mdx('<div title="Next steps>\n\nText.\n\n</div>'),
  'closing tag removed in MDX': unclose,
  'component that nobody knows': mdx('<ZebraCrossing />', 'component'),
  'variable that nobody declares': mdx('Version {zebraVersion}.', 'name'),
  'tag of Vue not closed': inPage('<Zebra>\n\nText.', of('VitePress'), 'syntax'),
  'type in the prose of Vue': inPage('Returns Promise<Zebra>.', of('VitePress'), 'syntax'),
  'container not closed': inPage('::: tip\n\nText.', of('VitePress'), 'syntax'),
  'admonition not closed': inPage(':::note\n\nText.', of('Docusaurus', 'Starlight'), 'syntax'),
  'block of GitBook not closed': inPage('{% hint style="info" %}\nText.', of('GitBook'), 'syntax'),
  'fence not closed': inPage('```sh\nacme --help', (name) => name !== 'x', 'syntax'),
  'fence not closed before another': mergeFences,
  'front matter not closed': edit(
    /^(---\n(?:(?!---)[^\n]*\n)+)---\n(?![\s\S]*\n[-.]{3}[ \t]*\n)/,
    '$1',
    'front-matter',
  ),
  'front matter with a bad value': edit(/^---\n/, '---\nzebra: a: b\n', 'front-matter'),
  'front matter with a key twice': edit(/^---\n/, '---\nzebra: 1\nzebra: 2\n', 'front-matter'),
  'title removed': edit(
    /^(---\n(?:(?!---)[^\n]*\n)*?)title:[^\n]*\n(?! )/,
    '$1',
    'front-matter',
    /^(?:Starlight|Fumadocs)$/,
  ),
  'import of a used component removed': removeImport,
  'navigation that is not JSON': breakNavigation,
  'navigation entry to nothing': breakEntry,
  'new page that nobody can reach': addUnlisted,
  'redirect to nothing': breakRedirect,
  'redirect missing for a page that is deleted': loseAddress,
};
