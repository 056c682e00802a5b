import { createIgnoreTest } from '../../formats/ignore-patterns.ts';
import { extensionOf } from '../../page-extensions.ts';
import { stripMarks } from '../../pages/list-headings.ts';
import type { Slug } from '../../pages/slugs.ts';
import { type FileTree, folderOf, isBelow, joinPath, nameOf, relativeTo } from '../../tree.ts';
import { toAddress } from '../addresses.ts';
import { containerAt, type DataFile, type EntryRules } from '../edits/data-files.ts';
import { isName, isPath, isTarget } from '../edits/rules.ts';
import { type Framework, markedBy, type PageDialect, words } from '../framework.ts';
import { siteRules } from '../plain.ts';
import { readHostRedirects } from '../redirects/host-redirects.ts';
import type { SiteRules } from '../site-rules.ts';
import { mainOf, type QuartoConfiguration, readQuartoConfiguration } from './quarto-configuration.ts';

/** https://quarto.org/docs/reference/projects/websites.html, https://quarto.org/docs/reference/projects/books.html */
const navigation: EntryRules = {
  keys: words(`
    text href file section contents part chapters appendices menu id title subtitle icon aria-label target rel style auto
    left right center tools collapse-level align search pinned`),
  texts: ['text', 'title', 'subtitle', 'aria-label', 'id', 'style', 'align'],
  values: { icon: isName, file: isPath, auto: isPath, target: isTarget, rel: isName },
};

const configuration: DataFile = {
  path: /^_quarto(?:-[\w.-]+)?\.ya?ml$/,
  format: 'yaml',
  what: 'its sidebar, navbar, chapters and appendices',
  containers: [
    ...['navbar', 'sidebar', 'page-footer'].flatMap((key) => [
      containerAt(navigation, 'website', key),
      containerAt(navigation, 'book', key),
    ]),
    containerAt(navigation, 'book', 'chapters'),
    containerAt(navigation, 'book', 'appendices'),
  ],
};

const dialect: PageDialect = {
  markdown: 'pandoc',
  cells: 'braced',
  math: 'always',
  copiesFiles: true,
  templates: [{ language: 'quarto' }],
};

/** https://quarto.org/docs/reference/ */
export const quarto: Framework = {
  name: 'Quarto',
  markers: markedBy('_quarto.yml', '_quarto.yaml'),
  sites: { open: openQuarto },
  data: [configuration],
  dialect,
  templates: [/^_extensions\//],
  built: /^(?:_site|_book|_freeze|docs\/site_libs)\//,
};

/** Its sites are not read. https://rmarkdown.rstudio.com/docs/reference/render_site.html, https://pkgs.rstudio.com/bookdown/ */
export const rMarkdown: Framework = {
  name: 'R Markdown',
  markers: markedBy('_bookdown.yml', '_site.yml'),
  dialect,
  built: /^(?:_site|_book)\//,
};

/** Also without an ending, which images need not have. */
const pageEndings = ['.qmd', '.md', '.ipynb', '.Rmd'];
/** What scripts before the build write: data and drawings. */
const madeByScripts = /\.(?!html$|mdx?$|mdoc$|qmd$|rmd$|ipynb$)\w+$/i;
const isPagePath = (path: string) => /^(?:qmd|md|rmd|markdown)$/.test(extensionOf(path));

/** https://quarto.org/docs/websites/ and https://quarto.org/docs/books/ */
function openQuarto(tree: FileTree, root: string): SiteRules[] {
  const settings = readQuartoConfiguration(tree, root);
  // Other projects have no pages that lead to each other.
  return /^(?:website|book|manuscript)$/.test(settings.type ?? '') ? [openProject(tree, root, settings)] : [];
}

function openProject(tree: FileTree, root: string, settings: QuartoConfiguration): SiteRules {
  const { files, type, render, outputFolder, hasScripts, isAutomatic, entries, faults } = settings;
  const isRendered = createIgnoreTest(render.join('\n'));
  const projects = tree
    .named(['_quarto.yml', '_quarto.yaml'])
    .map(folderOf)
    .filter((folder) => folder !== root && isBelow(folder, root));
  const output = outputFolder === undefined ? undefined : joinPath(root, outputFolder);
  const listed = new Map<string, number>();
  for (const { means, isPattern } of entries) {
    const path = isPattern ? undefined : means.find((each) => tree.paths.has(each));
    if (path !== undefined) listed.set(folderOf(path), (listed.get(folderOf(path)) ?? 0) + 1);
  }
  const isBook = type === 'book';
  const patterns = entries.filter(({ isPattern }) => isPattern);
  let lists: string[] | undefined;
  /** Folders whose pages another page lists. https://quarto.org/docs/websites/website-listings.html */
  const isListed = (path: string) => {
    lists ??= tree
      .below(root)
      .filter((each) => isPagePath(each) && /^listing:/m.test(tree.read(each) ?? ''))
      .map(folderOf);
    return lists.some((folder) => isBelow(path, folder));
  };
  // https://quarto.org/docs/extensions/filters.html: what they write is not known.
  const made = tree
    .named(['_metadata.yml'])
    .filter((path) => isBelow(path, root) && /\.lua\b/.test(tree.read(path) ?? ''))
    .map(folderOf);
  const isPart = (path: string) => /(?:^|\/)_/.test(relativeTo(path, root));
  const hasNotebooks = tree.below(root).some((path) => /\.(?:ipynb|rmd|lua)$/i.test(path));
  const listFiles = (path: string) => [path, ...pageEndings.map((ending) => path.replace(/\.html$/, '') + ending)];
  const ownAddress = (path: string) =>
    toAddress(
      relativeTo(path, root)
        .replace(/\.\w+$/, '')
        .replace(/(^|\/)index$/, '$1'),
    );
  return {
    ...siteRules(root),
    configurationFiles: files,
    isPage(path) {
      const below = relativeTo(path, root);
      const isOther =
        projects.some((folder) => isBelow(path, folder)) || (output && output !== root && isBelow(path, output));
      return isBelow(path, root) && isPagePath(path) && !isOther && (isPart(path) || isOfProject(below));
    },
    formatOf: (path) => (isPagePath(path) ? 'quarto' : undefined),
    addressesOf(path, { frontMatter: { data } }) {
      if (isPart(path)) return [];
      const own = ownAddress(path);
      const aliases = [data.aliases].flat().filter((alias) => typeof alias === 'string');
      return [
        own,
        ...aliases.map((alias) => {
          const address = alias.replace(/(?:(^|\/)index)?\.html?$/, '$1');
          return toAddress(
            alias.startsWith('/') ? address : (joinPath(folderOf(relativeTo(path, root)), address) ?? address),
          );
        }),
      ];
    },
    findMeaning({ target, form, from }) {
      if (form === 'label') return hasNotebooks || isPart(from) ? {} : { label: target };
      const [written = '', anchor = ''] = target.split('#', 2);
      if (/^[a-z][a-z\d+.-]*:|^\/\//i.test(written)) return undefined;
      const path = written.startsWith('/') ? joinPath(root, written) : joinPath(folderOf(from), written);
      const isMade = anchor !== '' && path !== undefined && made.some((folder) => isBelow(path, folder));
      // Of a part, they are relative to the pages that show it.
      const isInFolder = /(?:^|\/)_[^/]*\//.test(relativeTo(from, root));
      if (isPart(from) && !written.startsWith('/'))
        return written === '' || path === undefined || isInFolder
          ? {}
          : { paths: listFiles(path), anchor, isOpen: true };
      return isMade && written !== '' ? { paths: listFiles(path) } : undefined;
    },
    // Includes of a part are relative to the pages that show it.
    findPartMeaning: (target, from) => ({
      paths: [folderOf(from), root].flatMap((folder) => joinPath(folder, target) ?? []),
      isOpen: isPart(from),
    }),
    areLabelsShared: isBook,
    relativeLinks: 'files',
    otherFiles: (path) =>
      path.endsWith('.html')
        ? pageEndings.map((ending) => path.replace(/\.html$/, ending))
        : /\.\w+$/.test(path)
          ? []
          : ['.png', '.svg', '.jpg'].map((ending) => path + ending),
    slug: pandocSlug,
    slugsMarks: true,
    // Cells draw figures, and scripts write what they like.
    isMade: (path) =>
      /_files\/|(?:^|\/)_(?:site|book|freeze)\/|-preview\.html$/.test(path) || (hasScripts && madeByScripts.test(path)),
    navigation: entries,
    navigationFiles: files.filter((file) => entries.some((entry) => entry.file === file)),
    navigationFile: entries.length > 0 ? (entries[0]?.file ?? mainOf(tree, root)) : undefined,
    navigationFaults: faults,
    mustBeListed(path) {
      const below = relativeTo(path, root);
      if (/(?:^|\/)_/.test(below) || /^(?:404|README|CHANGELOG|NEWS|LICENSE)\./i.test(nameOf(path))) return false;
      if (isBook) return extensionOf(path) === 'qmd';
      const isMatched = patterns.some(({ target }) => isBelow(path, folderOf(target.split('*', 1)[0] ?? '')));
      return (
        (listed.get(folderOf(path)) ?? 0) >= 3 &&
        !isAutomatic &&
        !isMatched &&
        !isListed(path) &&
        nameOf(path) !== 'index.qmd'
      );
    },
    pageAliases: {
      key: 'aliases',
      write: (address, path) => (/(?:^|\/)index\.\w+$/.test(path) ? `${address}/` : `${address}.html`),
    },
    ...readHostRedirects(tree, root),
  };

  /** Of a list of what is rendered, only that; otherwise all but files for people who work on it. */
  function isOfProject(below: string): boolean {
    return render.length > 0 ? isRendered(below) : !/(?:^|\/)README\.md$/i.test(below);
  }
}

/** `auto_identifiers` of a heading with its marks: https://pandoc.org/MANUAL.html#extension-auto_identifiers */
export const pandocSlug: Slug = (written) => {
  const text = written
    .split(/(`[^`]*`)/)
    .map((part) => (part.startsWith('`') ? part : writeSmart(part)))
    .join('');
  const id = stripMarks(text.replace(/\^?\[\^[^\]]{1,99}\]|\^\[[^\]]{0,500}\]/g, ''))
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_.-]/gu, '')
    .trim()
    .replace(/\s+/g, '-')
    .replace(/^[^\p{L}]+/u, '');
  return id === '' ? 'section' : id;
};

/** Without attributes of spans, and without dashes and dots that become characters which ids do not have: https://pandoc.org/MANUAL.html#extension-smart */
const writeSmart = (text: string) =>
  text
    .replace(/-{2,3}|\.{3}/g, '')
    .replace(/(?<=\])\{[^{}]{0,200}\}/g, '')
    .replace(/<br ?\/?>/gi, ' ');
