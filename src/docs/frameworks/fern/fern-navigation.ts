import { isMap, isScalar, isSeq, type Scalar, type YAMLMap } from 'yaml';
import { readYaml, textOf } from '../../formats/yaml.ts';
import { isMarkdown } from '../../page-extensions.ts';
import { type FileTree, folderOf, joinPath, nameOf, relativeTo } from '../../tree.ts';
import { toAddress, withoutExtension } from '../addresses.ts';
import type { NavigationEntry, Redirect } from '../site-rules.ts';

/** `docs.yml`, and the files of its products and versions. https://buildwithfern.com/learn/docs/configuration/navigation */
export function readFernNavigation(tree: FileTree, main: string) {
  const found = {
    files: [] as string[],
    faults: [] as { file: string; line: number; message: string }[],
    entries: [] as NavigationEntry[],
    /** By page. */
    addresses: new Map<string, string[]>(),
    /** Below them, Fern makes pages of API descriptions and changelogs. */
    made: [] as string[],
    /** Of tabs and sections, which lead to their first page. */
    groups: new Set<string>(),
    redirects: [] as Redirect[],
    /** Prefixes of versions and products. */
    prefixes: [] as string[],
  };
  readFile(main, [[]]);
  return found;

  /** `prefixes`: all that lead to the file; the first is its own. */
  function readFile(file: string, prefixes: readonly string[][]): void {
    const text = tree.read(file);
    if (text === undefined || found.files.includes(file)) return;
    found.files.push(file);
    const { document, fault, locate } = readYaml(text);
    if (fault !== undefined) found.faults.push({ file, line: fault.line, message: `not valid YAML: ${fault.message}` });
    const settings = document.contents;
    if (!isMap(settings)) return;
    const tabs = settings.get('tabs', true);
    walk(settings.get('navigation', true), prefixes);
    for (const key of ['products', 'versions']) {
      const list = settings.get(key, true);
      for (const [index, item] of (isSeq(list) ? list.items : []).entries()) {
        if (!isMap(item)) continue;
        const own = [slugOf(item, 'display-name')];
        // The first version is shown without its name, too.
        const named = prefixes.map((prefix) => [...prefix, ...own]);
        const isDefault = key === 'versions' && index === 0;
        found.prefixes.push(...named.map((each) => toAddress(...each)));
        const path = joinPath(folderOf(file), textOf(item.get('path')) ?? '');
        if (path !== undefined) readFile(path, isDefault ? [...prefixes, ...named] : named);
        for (const version of itemsOf(item.get('versions', true))) {
          const below = joinPath(folderOf(file), textOf(version.get('path')) ?? '');
          if (below !== undefined)
            readFile(below, [...named, ...named.map((each) => [...each, slugOf(version, 'display-name')])]);
        }
      }
    }
    for (const item of itemsOf(settings.get('redirects', true))) readRedirect(item);

    function walk(node: unknown, at: readonly string[][]): void {
      for (const item of itemsOf(node)) {
        const below = (...names: string[]) => at.map((prefix) => [...prefix, ...names]);
        const tab = textOf(item.get('tab'));
        const kind = ['page', 'section', 'api', 'changelog', 'folder'].find((key) => item.has(key));
        const ofTab = isMap(tabs) && tab !== undefined ? tabs.get(tab, true) : undefined;
        const named = isMap(ofTab) ? ofTab : item;
        const name =
          tab === undefined
            ? slugOf(item, kind === 'folder' ? 'title' : (kind ?? 'title'))
            : slugOf(named, 'display-name', tab);
        const inside = named.get('skip-slug') === true || (tab === undefined && kind === undefined) ? at : below(name);
        addPage(item, kind === 'page' ? below(name) : inside);
        if (kind === 'section' || tab !== undefined) for (const each of inside) found.groups.add(toAddress(...each));
        if (kind === 'api' || kind === 'changelog' || named.has('changelog'))
          found.made.push(...inside.map((each) => toAddress(...each)));
        if (kind === 'folder') addFolder(textOf(item.get('folder')) ?? '', at, item);
        for (const key of ['contents', 'layout', 'variants']) walk(item.get(key, true), inside);
      }
    }

    function addPage(item: YAMLMap, at: readonly string[][]): void {
      const node = item.get('path', true);
      if (!isScalar(node) || typeof node.value !== 'string' || !isMarkdown(node.value)) return;
      const path = joinPath(folderOf(file), node.value) ?? node.value;
      add(path, at);
      found.entries.push({ target: path, means: [path], file, ...locate(node as Scalar), isCode: false });
    }

    function addFolder(folder: string, at: readonly string[][], item: YAMLMap): void {
      const path = joinPath(folderOf(file), folder) ?? '';
      const name = textOf(item.get('slug')) ?? kebab(textOf(item.get('title')) ?? nameOf(path));
      const inside = item.get('skip-slug') === true ? at : at.map((prefix) => [...prefix, name]);
      for (const page of tree.below(path).filter(isMarkdown)) {
        const names = withoutExtension(relativeTo(page, path)).split('/').map(kebab);
        const own = names.at(-1) === 'index' ? names.slice(0, -1) : names;
        add(
          page,
          inside.map((prefix) => [...prefix, ...own]),
        );
      }
    }

    function readRedirect(item: YAMLMap): void {
      const [source, target] = [item.get('source', true), item.get('destination', true)];
      if (!isText(source) || !isText(target)) return;
      const [from, to] = [locate(source), locate(target)];
      const lineEnd = (text ?? '').indexOf('\n', Math.max(from.end, to.end));
      const start = (text ?? '').lastIndexOf('\n', Math.min(from.start, to.start)) + 1;
      const end = lineEnd < 0 ? (text ?? '').length : lineEnd;
      const isWhole = /^[ \t]*- /.test((text ?? '').slice(start));
      found.redirects.push({
        from: source.value,
        to: target.value,
        file,
        ...to,
        ...(isWhole && { entry: { start, end, isLine: true, from: { start: from.start, end: from.end } } }),
      });
    }
  }

  function add(path: string, at: readonly string[][]): void {
    const known = found.addresses.get(path) ?? [];
    found.addresses.set(path, [...known, ...at.map((names) => toAddress(...names))]);
  }
}

const isText = (node: unknown): node is Scalar<string> => isScalar(node) && typeof node.value === 'string';

const itemsOf = (node: unknown): YAMLMap[] => (isSeq(node) ? node.items.filter(isMap) : []);

const slugOf = (item: YAMLMap, key: string, otherwise = ''): string =>
  textOf(item.get('slug')) ?? kebab(textOf(item.get(key)) ?? otherwise);

/** https://lodash.com/docs/#kebabCase */
const kebab = (title: string): string =>
  title
    .replace(/['’]/g, '')
    .replace(/(\p{Ll})(?=\p{Lu})|(\p{L})(?=\p{N})|(\p{N})(?=\p{L})/gu, '$&-')
    .split(/[^\p{L}\p{N}]+/u)
    .filter(Boolean)
    .join('-')
    .toLowerCase();
