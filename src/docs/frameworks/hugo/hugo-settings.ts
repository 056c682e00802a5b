import { type Data, isMap } from '../../formats/data.ts';
import { itemsOf, readSettings, stringIn, valueAt } from '../../formats/settings.ts';
import { createLineOf } from '../../line-of.ts';
import { type FileTree, folderOf, joinPath, nameOf } from '../../tree.ts';
import { toAddress } from '../addresses.ts';
import type { NavigationEntry } from '../site-rules.ts';

export interface HugoSettings {
  /** The files that were read, the main one first. */
  files: string[];
  faults: { file: string; line: number; message: string }[];
  /** The value at these keys, in lower case. */
  read(...keys: string[]): Data | undefined;
}

/** Files of pages, and the path below the content that they are mounted at. */
export interface HugoContent {
  /** A folder, or one file. */
  folder: string;
  at: string;
  language: string | undefined;
}

const main = /^(?:hugo|config)\.(?:toml|ya?ml|json)$/;
/** Also `menus.en.toml`, and a template that scripts turn into `module.yaml`. */
const part = /^([a-z]+)(?:[.-][\w-]+)?\.(?:toml|ya?ml|json)$/i;

/** `hugo.toml`, and the files of `config/_default`, each named by the key that it holds. https://gohugo.io/configuration/introduction/ */
export function readHugoSettings(tree: FileTree, root: string): HugoSettings {
  const folder = joinPath(root, 'config/_default') ?? '';
  const beside = tree.below(root).filter((path) => folderOf(path) === root && main.test(nameOf(path).toLowerCase()));
  const inFolder = tree.below(folder).filter((path) => folderOf(path) === folder && part.test(nameOf(path)));
  const isMain = (path: string) => main.test(nameOf(path).toLowerCase());
  const files = [...beside, ...inFolder].toSorted((a, b) => Number(isMain(b)) - Number(isMain(a)) || (a < b ? -1 : 1));
  const texts = files.map((file) => ({ file, ...readSettings(file, tree.read(file) ?? '') }));
  const read = texts.map(({ file, value: written = {} }): Data => {
    const value = foldKeys(written);
    return isMain(file) ? value : { [part.exec(nameOf(file))?.[1]?.toLowerCase() ?? '']: value };
  });
  return {
    files,
    faults: texts.flatMap(({ file, fault }) => (fault === undefined ? [] : [{ file, ...fault }])),
    read: (...keys) => read.map((value) => valueAt(value, ...keys)).find((value) => value !== undefined),
  };
}

/** Hugo ignores the case of keys. */
const foldKeys = (value: Data): Data => {
  if (Array.isArray(value)) return value.map(foldKeys);
  if (!isMap(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, child]) => [key.toLowerCase(), foldKeys(child)]));
};

/** https://gohugo.io/content-management/multilingual/ */
export const listCodes = ({ read }: HugoSettings): string[] => {
  const languages = read('languages');
  return isMap(languages) ? Object.keys(languages) : [];
};

/** Mounts, folders of languages, or the one folder. Of several that hold a path, the first has it. https://gohugo.io/configuration/module/#mounts */
export function listHugoContents(tree: FileTree, root: string, settings: HugoSettings): HugoContent[] {
  const below = (path: string) => joinPath(root, path);
  const mounted = listMounts(settings).flatMap(({ source, at, language }) => {
    const folder = below(source);
    return folder === undefined ? [] : [{ folder, at, language }];
  });
  if (mounted.length > 0) return mounted;
  const folder = below(stringIn(settings.read('contentdir')) ?? 'content') ?? root;
  const ofLanguages = listCodes(settings).flatMap((code): HugoContent[] => {
    const named = stringIn(settings.read('languages', code, 'contentdir'));
    // Docsy and others mount these folders by a template of settings.
    const own = named === undefined ? joinPath(folder, code) : below(named);
    return own !== undefined && tree.hasFolder(own) ? [{ folder: own, at: '', language: code }] : [];
  });
  return [...ofLanguages, { folder, at: '', language: undefined }];
}

interface Mount {
  source: string;
  at: string;
  language: string | undefined;
}

const toMount = (mount: Data): Mount[] => {
  const [, at] = /^content(?:\/(.*))?$/.exec(stringIn(valueAt(mount, 'target')) ?? '/') ?? [];
  const source = stringIn(valueAt(mount, 'source'));
  const [listed] = itemsOf(valueAt(mount, 'sites', 'matrix', 'languages'));
  const language = stringIn(valueAt(mount, 'lang')) ?? stringIn(listed);
  const isContent = /^content(?:\/|$)/.test(stringIn(valueAt(mount, 'target')) ?? '');
  return isContent && source !== undefined ? [{ source, at: at ?? '', language }] : [];
};

const listMounts = ({ read }: HugoSettings): Mount[] => itemsOf(read('module', 'mounts')).flatMap(toMount);

/** Addresses below which modules and folders from elsewhere have pages. */
export const listForeignContent = (tree: FileTree, root: string, settings: HugoSettings): string[] => {
  const missing = listMounts(settings).filter(({ source }) => {
    const path = joinPath(root, source);
    return path === undefined || !(tree.paths.has(path) || tree.hasFolder(path));
  });
  const imported = itemsOf(settings.read('module', 'imports')).flatMap((one) =>
    itemsOf(valueAt(one, 'mounts')).flatMap(toMount),
  );
  return [...missing, ...imported].map(({ at }) => toAddress(at.replace(/(?:^|\/)(?:_?index)?\.?(?:md)?$/, '')));
};

const pageRef = /^[ \t-]*["']?pageRef["']?[ \t]*[:=][ \t]*["']?(?!["'])([^\s"',]+)/gim;

/** Entries of menus in settings that name a page. https://gohugo.io/configuration/menus/ */
export const listMenuEntries = (tree: FileTree, files: readonly string[]): NavigationEntry[] =>
  files.flatMap((file) => {
    const text = tree.read(file) ?? '';
    const lineOf = createLineOf(text);
    return Array.from(text.matchAll(pageRef), ({ 0: whole, 1: target = '', index }) => {
      const start = index + whole.length - target.length;
      const path = target.replace(/#.*/, '');
      const [line, end] = [lineOf(start), start + path.length];
      return { target, means: [toAddress(path)], file, line, start, end, isCode: false };
    });
  });
