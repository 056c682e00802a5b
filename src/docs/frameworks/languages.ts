import type { Script } from '../formats/javascript.ts';
import { type FileTree, joinPath } from '../tree.ts';
import type { Language } from './site-rules.ts';

/** Files that translation services keep in a repository. A row per service. */
const services: string[][] = [
  ['crowdin.yml', 'crowdin.yaml', '.crowdin.yml'],
  ['gt.config.json', 'gt-lock.json'],
  ['i18n.lock', '.lingo/config.json'],
  ['.tx/config'],
  ['lokalise.yml', '.lokalise.yml', 'lokalise.toml'],
  ['.phrase.yml', '.phraseapp.yml'],
  ['locadex.yml', '.locadex.json'],
  ['.weblate', '.weblate.ini'],
];

/** Whether a service keeps the translations: its configuration is at the site's root or the repository's. */
const isTranslated = (tree: FileTree, root: string): boolean =>
  services.flat().some((name) => [root, ''].some((folder) => tree.paths.has(joinPath(folder, name) ?? '')));

/** The folder of each language: the first of its name in one of these. */
export const findLanguageFolders = (tree: FileTree, folders: readonly string[], codes: readonly string[]) =>
  codes.map((code) => ({
    code,
    folder: folders.flatMap((folder) => joinPath(folder, code) ?? []).find((folder) => tree.hasFolder(folder)),
  }));

/** Languages by code and folder. The default language is written by people. */
export function listLanguages(
  tree: FileTree,
  options: {
    root: string;
    languages: readonly { code: string; folder: string | undefined }[];
    defaultCode: string | undefined;
  },
): Language[] {
  const { root, languages, defaultCode } = options;
  if (new Set(languages.map(({ code }) => code)).size < 2) return [];
  const isGenerated = isTranslated(tree, root);
  return languages.map(({ code, folder }) => {
    const isDefault = code === defaultCode;
    return { code, folder, isDefault, isGenerated: isGenerated && !isDefault };
  });
}

export interface Locale {
  /** In addresses; `root`: none. */
  key: string;
  /** `lang` of the locale, or its key. */
  code: string;
}

/** `locales: { root: { lang: 'en' }, fr: … }` of VitePress and Starlight, also where that is a variable. */
export const listLocales = ({ names, strings }: Script): Locale[] =>
  names
    .filter(({ keys }) => keys.at(-1) === 'locales')
    .map(({ value: key }) => {
      const lang = strings.find(
        ({ keys }) => keys.at(-1) === 'lang' && keys.at(-2) === key && keys.at(-3) === 'locales',
      );
      return { key, code: lang?.value ?? key };
    });
