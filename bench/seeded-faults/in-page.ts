import { append, drawPage, needPage, type Seed, tells } from './seed.ts';

/** Whether a page's framework reads it as MDX. */
export const isParsedAsMdx = (framework: string, path: string) =>
  framework !== 'Markdown' && (path.endsWith('.mdx') || /^(?:Docusaurus|Mintlify)$/.test(framework));

/** Appends to a page that its framework parses in a certain way. */
export const inPage =
  (
    added: string,
    fits: (framework: string, path: string) => boolean,
    kind: 'syntax' | 'component' | 'name' | 'link' | 'image' | 'import',
  ): Seed =>
  (ground) => {
    const page = drawPage(ground, (site, path) => fits(site.framework.name, path));
    if (!page) return undefined;
    const change = new Map([[page.path, append(page.text, added)]]);
    return { framework: page.site.framework.name, change, isTold: tells(page.path, kind) };
  };

export const mdx = (added: string, kind: 'syntax' | 'component' | 'name' = 'syntax') =>
  inPage(added, isParsedAsMdx, kind);
export const of =
  (...names: string[]) =>
  (framework: string) =>
    names.includes(framework);

/** Edits a page with a certain text. */
export const edit =
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
        (only?.test(site.framework.name) ?? true) &&
        (only === undefined || site.addressesOf(path, needPage(site, path)).length > 0),
    );
    if (!page) return undefined;
    const change = new Map([[page.path, page.text.replace(pattern, replacement)]]);
    return { framework: page.site.framework.name, change, isTold: tells(page.path, isTold) };
  };
