import {
  breakAnchor,
  breakImage,
  breakImport,
  breakInclude,
  breakLink,
  deleteImage,
  renameHeading,
  shareAddress,
} from './break-links.ts';
import { addUnlisted, breakEntry, breakNavigation, breakRedirect } from './break-navigation.ts';
import { mergeFences, removeImport, unclose } from './break-syntax.ts';
import { deletePage, loseAddress, movePage } from './remove-pages.ts';
import { append, drawPage, isParsedAsMdx, needPage, type Seed, seed, tells } from './seed.ts';

/** Appends to a page that its framework parses in a certain way. */
const inPage =
  (
    added: string,
    fits: (framework: string, path: string) => boolean,
    kind: 'syntax' | 'component' | 'name' | 'link' | 'image' | 'import',
  ): Seed =>
  (ground) => {
    const page = drawPage(ground, (site, path) => fits(site.framework.name, path));
    if (!page) return undefined;
    return seed(page.site, page.path, append(page.text, added), tells(page.path, kind));
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
        (only?.test(site.framework.name) ?? true) &&
        (only === undefined || site.addressesOf(path, needPage(site, path)).length > 0),
    );
    if (!page) return undefined;
    return seed(page.site, page.path, page.text.replace(pattern, replacement), tells(page.path, isTold));
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
  'include of a file that does not exist': breakInclude,
  'page at the address of another': shareAddress,
  'less-than sign in MDX': mdx('For sizes <5 MB.'),
  'brace in MDX': mdx('Set {your key here}.'),
  'brace in MDX that is not closed': mdx('Set {key.'),
  'comment of HTML in MDX': inPage(
    '<!-- later -->',
    (name, path) => isParsedAsMdx(name, path) && !/^(?:Docusaurus|Rspress)$/.test(name),
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
  'fence not closed': inPage('```sh\nacme --help', (_, path) => !/\.(?:adoc|rst)$/.test(path), 'syntax'),
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
