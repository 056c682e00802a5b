import { markdownExtensions, otherPageExtensions } from '../../docs/page-extensions.ts';

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
} as const;

type FileType = keyof typeof types | 'unknown';

const byEnding = new Map<string, FileType>(
  Object.entries(types).flatMap(([type, endings]) =>
    endings.split(' ').map((ending): [string, FileType] => [ending, isType(type) ? type : 'unknown']),
  ),
);

function isType(name: string): name is keyof typeof types {
  return Object.hasOwn(types, name);
}

export function findFileType(name: string): FileType {
  const ending = /[^/]\.([^./]+)$/.exec(name)?.[1] ?? '';
  return byEnding.get(ending) ?? 'unknown';
}
