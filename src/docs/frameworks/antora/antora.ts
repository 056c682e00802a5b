import { isMap, isSeq } from 'yaml';
import { readAsciiDoc } from '../../formats/asciidoc.ts';
import { listTexts, readYaml, textOf } from '../../formats/yaml.ts';
import { createLineOf } from '../../line-of.ts';
import { extensionOf } from '../../page-extensions.ts';
import { type FileTree, joinPath, nameOf, relativeTo } from '../../tree.ts';
import { toAddress } from '../addresses.ts';
import { containerAt } from '../edits/data-files.ts';
import { pagesRules } from '../edits/rules.ts';
import { type Framework, markedBy } from '../framework.ts';
import { plainRules } from '../plain.ts';
import type { LinkMeaning, NavigationEntry, SiteRules } from '../site-rules.ts';
import { listComponents, locateResource, parseResource, spellResource } from './antora-resources.ts';

/** https://docs.antora.org/antora/latest/component-version-descriptor/ */
export const antora: Framework = {
  name: 'Antora',
  markers: markedBy('antora.yml'),
  sites: { open: (tree, root) => [openAntora(tree, root)] },
  data: [
    {
      path: /^antora\.yml$/,
      format: 'yaml',
      what: 'nav and start_page',
      containers: [containerAt(pagesRules, 'nav'), containerAt(pagesRules, 'start_page')],
    },
  ],
};

const entry = /^[ \t]*[*.]+[ \t]+xref:([^\s[\]#]{1,500})(#[^\s[\]]*)?\[/gm;
const externalTarget = /^(?:[a-z][a-z\d+.-]*:\/\/|mailto:)/i;

/** A component version: https://docs.antora.org/antora/latest/component-version-descriptor/ */
function openAntora(tree: FileTree, root: string): SiteRules {
  const file = joinPath(root, 'antora.yml') ?? '';
  const { document, fault } = readYaml(tree.read(file) ?? '');
  const components = listComponents(tree);
  const isAdoc = (path: string) => /^(?:adoc|asciidoc)$/.test(extensionOf(path));
  const place = (path: string) => /^modules\/([^/]+)\/(pages|partials)\/(.+)$/.exec(relativeTo(path, root));
  const isMadeElsewhere = isMap(document.contents) && document.contents.has('ext');
  const navFiles = listTexts(document.get('nav', true)).flatMap(({ value }) => joinPath(root, value) ?? []);
  const navigationFiles = listIncluded(navFiles);
  const start = textOf(document.get('start_page')) ?? 'index.adoc';

  function findMeaning(target: string, from: string, family: string): LinkMeaning {
    const [named = '', anchor = ''] = target.split('#', 2);
    const id = named !== '' && target.includes('#') && !/\.\w+$/.test(named) ? `${named}.adoc` : named;
    if (id === '' || (family === 'page' && !/\.adoc$|[$/:@]/.test(id))) return { paths: [from], anchor: anchor || id };
    const resource = parseResource(id, family);
    const found = locateResource(components, { root, from, ...resource });
    if (found === undefined) return {};
    const { paths, module } = found;
    const isKnown = tree.hasFolder(module);
    return {
      paths,
      label: labelOf(paths[0] ?? ''),
      anchor, // Pages of other components may include a part.
      isOpen: isMadeElsewhere || !isKnown || place(from)?.[2] === 'partials',
    };
  }

  /** Files that a list of entries includes hold entries, too. */
  function listIncluded(files: readonly string[]): string[] {
    const all = new Set(files.filter((each) => tree.paths.has(each)));
    for (const each of all) {
      for (const { text } of readAsciiDoc(tree.read(each) ?? '').includes) {
        const resource = parseResource(text, includedFamily(text));
        const [path] = locateResource(components, { root, from: each, ...resource })?.paths ?? [];
        if (path !== undefined && tree.paths.has(path)) all.add(path);
      }
    }
    return [...all];
  }

  function listEntries(path: string): NavigationEntry[] {
    const { prose } = readAsciiDoc(tree.read(path) ?? '');
    const lineOf = createLineOf(prose);
    return Array.from(prose.matchAll(entry)).flatMap(({ 0: whole, 1: target = '', index }): NavigationEntry[] => {
      const begin = index + whole.indexOf('xref:') + 5;
      const means = findMeaning(target, path, 'page');
      if (means.paths === undefined || means.isOpen || target.includes('{')) return [];
      const all = [...means.paths, ...(means.label === undefined ? [] : [means.label])];
      const place = { file: path, line: lineOf(begin), start: begin, end: begin + target.length };
      return [{ target, means: all, ...place, isCode: false, form: 'resource' }];
    });
  }

  const addressOf = ([, module = '', , below = '']: RegExpExecArray) =>
    toAddress(module === 'ROOT' ? '' : module, below.replace(/\.\w+$/, '').replace(/(^|\/)index$/, '$1'));
  const listAliases = (path: string, aliases: unknown): string[] =>
    typeof aliases !== 'string'
      ? []
      : aliases.split(',').flatMap((alias) => {
          const found = locateResource(components, { root, from: path, ...parseResource(alias.trim(), 'page') });
          return found === undefined || alias.includes('{') ? [] : found.paths.slice(0, 1);
        });

  return {
    ...plainRules(root),
    configurationFiles: [file],
    isPage: (path) => place(path) !== null,
    isMdx: () => false,
    formatOf: (path) => (isAdoc(path) ? 'asciidoc' : undefined),
    addressesOf(path, { frontMatter: { data } }) {
      const found = place(path);
      if (found === null || found[2] !== 'pages' || nameOf(path).startsWith('_')) return [];
      const aliases = listAliases(path, data['page-aliases']).flatMap((alias) => {
        const other = place(alias);
        return other === null ? [] : [addressOf(other)];
      });
      return [addressOf(found), ...aliases];
    },
    labelsOf: (path, { frontMatter: { data } }) => listAliases(path, data['page-aliases']).map(labelOf),
    namesOf: (path, { frontMatter: { data } }) => listAliases(path, data['page-aliases']).map(labelOf),
    findMeaning({ target, form, from }) {
      if (form !== 'resource' || externalTarget.test(target)) return form === 'resource' ? {} : undefined;
      return findMeaning(target, from, isImage.test(target) ? 'image' : 'page');
    },
    // A reference to the web is a link of another macro.
    refuses: (target) => /^https?:/.test(target),
    findPartMeaning: (target, from) =>
      externalTarget.test(target) || target.includes('{') ? {} : findMeaning(target, from, includedFamily(target)),
    spell: (written, wanted, from) => spellResource(components, { root, written, wanted, from }),
    areSlugsLoose: true,
    navigation: navigationFiles.flatMap(listEntries),
    navigationFiles,
    navigationFile: navigationFiles[0],
    navigationFaults:
      fault === undefined ? [] : [{ file, line: fault.line, message: `not valid YAML: ${fault.message}` }],
    mustBeListed: (path) => {
      const found = place(path);
      const isStart = found !== null && start.endsWith(found[3] ?? '') && nameOf(path) === nameOf(start);
      return (
        found?.[2] === 'pages' &&
        !isMadeElsewhere &&
        !isStart &&
        !nameOf(path).startsWith('_') &&
        isSeq(document.get('nav', true))
      );
    },
    ...versionOf(document.get('version'), root),
  };
}

const isImage = /\.(?:png|jpe?g|gif|svg|webp|avif)$/i;

/** A path beside the page, or a page of a module. */
const includedFamily = (target: string) => (target.includes(':') ? 'page' : 'file');

/** A name for a place where a page was. */
const labelOf = (path: string) => `was ${path}`;

const versionOf = (version: unknown, folder: string) =>
  typeof version === 'string' || typeof version === 'number'
    ? { versions: [{ name: String(version), folder, isLatest: true }] }
    : { versions: [] };
