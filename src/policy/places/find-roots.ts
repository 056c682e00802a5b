import { posix } from 'node:path';
import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import type { DataFile } from '../../docs/frameworks/edits/data-files.ts';
import type { Framework } from '../../docs/frameworks/framework.ts';
import { findMarked, type MarkedRoot } from '../../docs/frameworks/marked.ts';
import type { BaseFiles } from '../base-files.ts';
import { plainName } from './file-types.ts';

/** A folder of the base that a framework has its root in. All paths are plain; folders end with a slash, or are empty. */
export interface Root {
  framework: Framework;
  folder: string;
  /** Its configuration, with the files that this names. */
  text: string;
  /** Folders outside of the root that its configuration names: its pages may be there. */
  outside: readonly string[];
  templateFolders: readonly string[];
}

interface FoundRoots {
  roots: Root[];
  /** Files that configurations name as parts of themselves. */
  parts: ReadonlyMap<string, DataFile>;
  /** Folders that hold the start page of a site of .txt files, as of MongoDB or Django. */
  textFolders: string[];
}

const pathsAtOnce = 2_000;
/** How far configurations may lead to each other. */
const maxSteps = 5;
const maxParts = 50;

export async function findRoots(base: BaseFiles): Promise<FoundRoots> {
  const { marked, textFolders } = await listMarked(base.files.keys());
  const texts = await base.readTexts(marked.filter(isRead).map(({ path }) => path));
  const live = marked.filter(({ marker, path }) => marker.contains?.test(texts.get(path) ?? '') ?? true);
  const parts = new Map<string, DataFile>();
  const roots: Root[] = [];
  for (const [, [first, ...others]] of Map.groupBy(live, ({ framework, root }) => `${framework.name} ${root}`)) {
    if (first === undefined) continue;
    const { framework, root } = first;
    const files = new Map([first, ...others].map(({ path }) => [path, texts.get(path) ?? '']));
    const found = await readParts(base, framework, files);
    for (const path of found.keys())
      if (framework.configurationParts) parts.set(plainName(path), framework.configurationParts.file);
    const folder = root === '' ? '' : `${plainName(root)}/`;
    const all = [...files, ...found];
    roots.push({
      framework,
      folder,
      text: all.map(([, text]) => text).join('\n'),
      outside: all.flatMap(([path, text]) => listOutside(path, text)),
      templateFolders: all.flatMap(([path, text]) =>
        (framework.listTemplateFolders?.(text) ?? []).flatMap((named) =>
          [posix.dirname(path), root].map((from) => `${plainName(posix.join('/', from, named)).slice(1)}/`),
        ),
      ),
    });
  }
  return { roots, parts, textFolders };
}

async function listMarked(paths: Iterable<string>): Promise<{ marked: MarkedRoot[]; textFolders: string[] }> {
  const marked: MarkedRoot[] = [];
  const folders = new Set<string>();
  const textFolders: string[] = [];
  let count = 0;
  for (const path of paths) {
    count += 1;
    if (count % pathsAtOnce === 0) await yieldToEventLoop();
    for (const each of findMarked(path)) {
      const { framework, marker, root } = each;
      const isKnown = folders.has(`${framework.name} ${root}`) && marker.path.endsWith('/');
      if (isKnown && !isConfiguration(each)) continue;
      folders.add(`${framework.name} ${root}`);
      marked.push(each);
    }
    if (/(?:^|\/)(?:index|contents)\.txt$/i.test(path)) textFolders.push(folderOf(plainName(path)));
  }
  return { marked, textFolders };
}

/** Of the files in a folder that marks a root, those with code that the framework reads. */
function isConfiguration({ framework, root, path }: MarkedRoot): boolean {
  const below = plainName(root === '' ? path : path.slice(root.length + 1));
  return framework.code?.files.some((file) => file.path?.test(below)) ?? false;
}

/** Tables of contents and lists of entries configure nothing. */
const isRead = ({ marker }: MarkedRoot): boolean => marker.contains !== undefined || !marker.isOfPages;

async function readParts(
  base: BaseFiles,
  { configurationParts }: Framework,
  files: ReadonlyMap<string, string>,
): Promise<Map<string, string>> {
  const found = new Map<string, string>();
  if (configurationParts === undefined) return found;
  let next = new Map(files);
  for (let step = 0; step < maxSteps && next.size > 0; step += 1) {
    const named = [...next].flatMap(([path, text]) =>
      configurationParts.list(text).map((part) => posix.join(posix.dirname(path), part)),
    );
    const news = [...new Set(named)].filter((path) => base.files.has(path) && !files.has(path) && !found.has(path));
    next = await base.readTexts(news.slice(0, maxParts - found.size));
    for (const [path, text] of next) found.set(path, text);
  }
  return found;
}

const upwards = /(?:^|[\s"'`(=:,[])((?:\.\.\/)*\.\.)(\/[^\s"'`,)\]#}]*)?/gm;

/** Where the paths that begin with `..` lead. What is put together by code may lead anywhere below. */
const listOutside = (path: string, text: string): string[] => [
  ...new Set(
    Array.from(text.matchAll(upwards), ([, up = '', rest = '']) => {
      const target = plainName(posix.join('/', posix.dirname(path), up, rest)).slice(1);
      return target === '' || target.endsWith('/') ? target : `${target}/`;
    }),
  ),
];

const folderOf = (path: string): string => path.slice(0, path.lastIndexOf('/') + 1);
