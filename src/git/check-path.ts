type CheckedPath = { kind: 'path'; path: string } | { kind: 'refused'; reason: string };

export const maxPathBytes = 1_000;
const maxSegmentBytes = 255;

/** Checks a model's path; `reason` is for the model. Joined to a root, an accepted path stays below it if no parent is a symbolic link, and no
 * file system takes it for `.git`. */
export function checkPath(rawPath: string): CheckedPath {
  const refuse = (reason: string): CheckedPath => ({ kind: 'refused', reason });
  if (rawPath.length > maxPathBytes) return refuse('the path is too long');
  if (!rawPath.isWellFormed() || /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u.test(rawPath))
    return refuse('the path holds control characters or invisible characters');
  if (rawPath.startsWith('/') || /^[a-z]:/i.test(rawPath))
    return refuse(`${rawPath} is absolute: give a path relative to the root of the repository, like docs/index.md`);
  if (rawPath.includes('\\')) return refuse('separate folders with /, not with a backslash');
  const segments = rawPath.split('/').filter((segment) => segment !== '' && segment !== '.');
  if (segments.length === 0) return refuse('the path is empty');
  if (segments.includes('..')) return refuse('.. is not allowed: give the path from the root of the repository');
  if (segments.some(isGitDirectory)) return refuse('.git is not part of the workspace');
  const path = segments.join('/');
  if (Buffer.byteLength(path) > maxPathBytes || segments.some((part) => Buffer.byteLength(part) > maxSegmentBytes))
    return refuse('the path is too long');
  return { kind: 'path', path };
}

/** Outermost first: `a/b/c.md` → `a`, `a/b`. */
export function parentsOf(path: string): string[] {
  const parents: string[] = [];
  for (let end = path.indexOf('/'); end !== -1; end = path.indexOf('/', end + 1)) {
    parents.push(path.slice(0, end));
  }
  return parents;
}

/** Letter case and ignored code points (HFS+), trailing dots and spaces, streams and short names (NTFS):
 * https://github.com/git/git/blob/master/path.c (is_ntfs_dotgit), utf8.c (is_hfs_dotgit) */
function isGitDirectory(segment: string): boolean {
  const plain = segment
    .normalize('NFKC')
    .replace(/\p{Cf}/gu, '')
    .toLowerCase()
    .replace(/:.*/s, '')
    .replace(/(?<![. ])[. ]+$/, '');
  return plain === '.git' || /^git~\d+$/.test(plain);
}
