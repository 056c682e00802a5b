import { checkPath } from '../git/check-path.ts';
import type { InRepository } from '../git/git.ts';
import { readBlobs } from '../git/read-blobs.ts';
import { findObstacle, readTree } from '../git/tree.ts';
import { compileGlob } from '../glob.ts';
import { type FindSecrets, findSecretRefusal, hideSecretFile } from '../policy/hide-secrets.ts';
import { realTiming } from '../timing.ts';
import { decodeText } from './decode-text.ts';
import { createSearch, type NoSearchResult, type SearchQuery } from './search.ts';
import type { ReadableFiles } from './workspace.ts';
import type { ReadResult } from './workspace-files.ts';

interface CommitFilesLimits {
  maxFiles: number;
  maxReadBytes: number;
  searchTimeoutMs: number;
}

const defaultLimits: CommitFilesLimits = {
  maxFiles: 100_000,
  maxReadBytes: 2 * 1024 ** 2,
  searchTimeoutMs: realTiming.git.searchTimeoutMs,
};

/**
 * The files of a commit, read from the repository: nothing is checked out. Hides what a workspace hides. `paths`: globs of the only files to
 * read. Throws `GitRefusal` `repository_too_large` where too many are left.
 */
export async function openCommitFiles(
  options: InRepository & {
    sha: string;
    paths: readonly string[] | null;
    findSecrets: FindSecrets;
    limits?: Partial<CommitFilesLimits>;
  },
): Promise<ReadableFiles> {
  const { sha, paths, findSecrets, limits: overrides, ...repository } = options;
  const { maxFiles, maxReadBytes, searchTimeoutMs } = { ...defaultLimits, ...overrides };
  const isWanted = paths === null ? () => true : compileAny(paths);
  const tree = await readTree({ ...repository, sha, maxFiles, maxBytes: Number.POSITIVE_INFINITY, isWanted });
  const listed = [...tree.files.keys()].filter((path) => hideSecretFile(path) === undefined).sort();
  const folders = listFolders(listed);
  const findRefusal = (path: string) => findObstacle(tree, path) ?? hideSecretFile(path);

  async function readFile(name: string): Promise<ReadResult> {
    const checked = checkPath(name);
    if (checked.kind === 'refused') return checked;
    const { path } = checked;
    const reason = findRefusal(path);
    if (reason !== undefined) return { kind: 'refused', reason };
    if (folders.has(path))
      return { kind: 'refused', reason: `${path} is a folder, not a file: give the path of a file in it` };
    const blobSha = tree.files.get(path)?.sha;
    return blobSha === undefined ? { kind: 'missing' } : show(path, (await readAll([blobSha])).get(blobSha));
  }

  const readAll = (shas: readonly string[]) => readBlobs({ ...repository, shas, maxBytes: maxReadBytes });

  async function show(path: string, bytes: Buffer | null | undefined): Promise<ReadResult> {
    if (!bytes) return { kind: 'too_large', bytes: maxReadBytes };
    const text = decodeText(bytes);
    if (text === undefined) return { kind: 'binary', bytes: bytes.length };
    const secret = await findSecretRefusal({ path, text }, findSecrets);
    return secret === undefined ? { kind: 'text', text } : { kind: 'refused', reason: secret };
  }

  /** What is too long to read is not shown: nobody looked for secrets in it. */
  async function listShown(found: readonly { path: string }[]): Promise<Set<string>> {
    const read = found.flatMap(({ path }) => {
      const blobSha = hideSecretFile(path) === undefined ? tree.files.get(path)?.sha : undefined;
      return blobSha === undefined ? [] : [{ path, blobSha }];
    });
    const blobs = await readAll(read.map(({ blobSha }) => blobSha));
    const shown = new Set<string>();
    for (const { path, blobSha } of read) if ((await show(path, blobs.get(blobSha))).kind === 'text') shown.add(path);
    return shown;
  }

  const { git, gitDir } = repository;
  const { search, countMatches } = createSearch(
    { git, gitDir, sha, timeoutMs: searchTimeoutMs },
    { exists: (path) => tree.files.has(path) || folders.has(path), findRefusal, listShown },
  );

  return {
    listFiles: () => listed,
    readFile,
    search,
    countMatches,
    mark: () => undefined,
    describeAccess: () => ({ kind: 'protected', reason: 'it belongs to another repository' }),
  };
}

function compileAny(globs: readonly string[]): (path: string) => boolean {
  const tests = globs.map((glob) => compileGlob(glob));
  return (path) => tests.some((test) => test?.(path) === true);
}

function listFolders(paths: readonly string[]): ReadonlySet<string> {
  const folders = new Set<string>();
  for (const path of paths) {
    for (let end = path.lastIndexOf('/'); end > 0; end = path.lastIndexOf('/', end - 1)) {
      const folder = path.slice(0, end);
      if (folders.has(folder)) break;
      folders.add(folder);
    }
  }
  return folders;
}

/** The same files, each path below `prefix`, such as `@acme/api`. */
export function prefixFiles(files: ReadableFiles, prefix: string): ReadableFiles {
  const start = `${prefix}/`;
  const add = (path: string) => start + path;
  const remove = (path: string) => (path === prefix ? '' : path.startsWith(start) ? path.slice(start.length) : path);
  const inside = (query: SearchQuery): SearchQuery => ({
    ...query,
    path: query.path === undefined ? undefined : remove(query.path),
    glob: query.glob === undefined ? undefined : remove(query.glob),
    exclude: query.exclude === undefined ? undefined : remove(query.exclude),
  });
  const failed = (found: NoSearchResult): NoSearchResult =>
    found.kind === 'missing' ? { ...found, path: add(found.path) } : found;
  const listed = files.listFiles().map(add);
  return {
    listFiles: () => listed,
    readFile: (path) => files.readFile(remove(path)),
    async search(query, signal) {
      const found = await files.search(inside(query), signal);
      if (found.kind !== 'matches') return failed(found);
      return { ...found, matches: found.matches.map((match) => ({ ...match, path: add(match.path) })) };
    },
    async countMatches(query, signal) {
      const found = await files.countMatches(inside(query), signal);
      if (found.kind !== 'counts') return failed(found);
      return { ...found, files: found.files.map((file) => ({ ...file, path: add(file.path) })) };
    },
    mark: (path) => files.mark(remove(path)),
    describeAccess: (path) => files.describeAccess(remove(path)),
  };
}
