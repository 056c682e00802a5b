import { expandBraces, maxGlobLength } from '../glob.ts';

/** Which files: at or below `path`, that match `glob` and do not match `exclude`. A glob without `/` matches names in any folder. */
export interface FileSelection {
  /** Has passed `checkPath`. */
  path?: string | undefined;
  glob?: string | undefined;
  exclude?: string | undefined;
}

/** https://git-scm.com/docs/gitglossary#Documentation/gitglossary.txt-pathspec */
export function toPathspecs(
  options: FileSelection,
): { kind: 'pathspecs'; pathspecs: string[] } | { kind: 'refused'; reason: string } {
  const { path, glob, exclude } = options;
  const [wanted, unwanted] = [expand(glob, path), expand(exclude, path)];
  if (wanted === null || unwanted === null) return { kind: 'refused', reason: describeInvalidGlob() };
  const all = path === undefined ? '.' : `:(literal)${path}`;
  return {
    kind: 'pathspecs',
    pathspecs: [
      ...(wanted.length === 0 ? [all] : wanted.map((each) => `:(glob)${each}`)),
      // What is excluded may be a folder.
      ...unwanted.flatMap((each) => [`:(exclude,glob)${each}`, `:(exclude,glob)${each}/**`]),
    ],
  };
}

export const describeInvalidGlob = (): string =>
  `invalid glob; use *, **, ? and a few {a,b}, not nested, and at most ${maxGlobLength} characters`;

/** For the model, about globs that match nothing. Empty: they can mean nothing else. */
export const describeClasses = (...globs: readonly (string | undefined)[]): string =>
  globs.some((glob) => glob?.includes('[')) ? '; [ and ] stand for themselves in a glob: write {D,d} for [Dd]' : '';

/** A glob that starts with the first name of the folder's path is relative to the root, any other glob to the folder. */
export const isFromRoot = (glob: string, folder: string): boolean => glob.split('/')[0] === folder.split('/')[0];

function expand(glob: string | undefined, path = ''): string[] | null {
  if (glob === undefined) return [];
  const folder = path === '' || isFromRoot(glob, path) ? '' : `${escapeGlob(path)}/`;
  return expandBraces(glob)?.map((each) => folder + (each.includes('/') ? '' : '**/') + escapeClasses(each)) ?? null;
}

/** `[` starts no class: routes of Next.js have it in their names. */
const escapeClasses = (glob: string) => glob.replace(/[[\\]/g, '\\$&');
const escapeGlob = (text: string) => text.replace(/[[\\*?]/g, '\\$&');
