import { markdownExtensions, otherPageExtensions } from '../../docs/page-extensions.ts';

/** A path as the most forgiving file system would read it. */
export const plainName = (path: string): string => path.normalize('NFKC').toLowerCase();

/** The extensions of each type of file, in lower case. */
const types = {
  page: [...markdownExtensions, ...otherPageExtensions].join(' '),
  /** Translations of pages, as gettext has them. */
  translation: 'po pot',
  /** Files that people make. The agent moves and removes them. SVG can hold scripts. */
  media: 'png jpg jpeg gif webp avif apng bmp ico svg pdf mp4 webm mov mp3 ogg wav woff woff2 ttf otf eot',
  /** Text without a meaning to any build, when it has no name that a tool looks for. */
  plain: 'css csv tsv txt',
  /** Text that is harmless where only the site reads it. */
  data: 'json yaml yml toml',
  /** Samples that pages quote. Not those that a shell or a browser runs as they are. */
  code: `rs py js jsx ts tsx mjs cjs mts cts go java kt scala cs c h cc cpp hpp rb php swift dart lua r sql graphql proto ex exs hs ml clj
    zig`,
} as const;

type FileType = keyof typeof types | 'unknown';

const byEnding = new Map<string, FileType>(
  Object.entries(types).flatMap(([type, endings]) =>
    endings.split(/\s+/).map((ending): [string, FileType] => [ending, isType(type) ? type : 'unknown']),
  ),
);

function isType(name: string): name is keyof typeof types {
  return Object.hasOwn(types, name);
}

export function findFileType(name: string): FileType {
  const ending = /[^/]\.([^./]+)$/.exec(name)?.[1] ?? '';
  return byEnding.get(ending) ?? 'unknown';
}

/** Folders whose files a site serves, reads as data, or quotes: nothing looks for its configuration in them. `name`: the path in lower case. */
export const isInDataFolder = (name: string): boolean =>
  /(?:^|\/)(?:static|public|assets|data|_data|i18n|locales?|translations|schemas?|_?examples?|_?snippets?|_?samples?|listings|attachments)\//.test(
    name,
  );

const running = new Set(
  `test tests spec specs conf config setup hook hooks plugin plugins extension extensions ext script scripts tool tools bin ci task tasks
  theme build stories e2e noxfile conftest init sitecustomize usercustomize manage dodo fabfile gulpfile gruntfile dangerfile`.split(
    /\s+/,
  ),
);

/** Code that a tool finds by its name or its folder, and runs: tests, configuration, hooks, scripts. `name`: the path in lower case. */
export const isRunByName = (name: string): boolean => name.split(/[/._-]/).some((word) => running.has(word));
