import { lstatSync, readdirSync, readFileSync } from 'node:fs';
import { stat } from 'node:fs/promises';
import { join, relative, resolve } from 'node:path';
import { isRead, maxReadBytes } from '../docs/page-extensions.ts';
import { createTree, type FileTree } from '../docs/tree.ts';
import { createGitTrees } from '../docs-session/git-trees.ts';
import { createGit, type InRepository } from '../git/git.ts';
import { readListing } from '../git/listing.ts';
import { readObjects } from '../git/read-blobs.ts';
import { UsageError } from './report-usage.ts';

/**
 * Reads two folders, or with `repo` two of its commits, or one and a folder. A folder of the checkout stands for all of the checkout, as far as
 * git does not ignore it. Where two folders are the same state, the first one counts as empty. Throws `UsageError` when one of them does not exist.
 */
export async function readDocsTrees(request: {
  base: string;
  head: string;
  repo: string | undefined;
  signal: AbortSignal;
}): Promise<{ base: FileTree; head: FileTree }> {
  const { base, head, repo, signal } = request;
  const empty = createTree({ paths: new Set(), read: () => undefined });
  if (repo === undefined) return { base: base === head ? empty : readFolder(base), head: readFolder(head) };
  const repository = await openRepository(repo, signal);
  if (repository === undefined)
    throw new UsageError(`${repo} is not in a git repository: name two folders, or a repository with --repo`);
  const from = await findState(base, repository);
  const states = [from, base === head ? from : await findState(head, repository)];
  if (states.every((state) => 'tree' in state && (state.isCheckout || base === head)))
    states[0] = { tree: empty, isCheckout: false };
  const commits = states.flatMap((state) => ('sha' in state ? [state.sha] : []));
  const texts = createGitTrees(await Promise.all(commits.map((sha) => readListing({ ...repository, sha }))));
  const trees = texts.createTrees(await readObjects({ ...repository, shas: texts.wanted }));
  const [before, after] = states.map((state) => ('tree' in state ? state.tree : trees.shift()));
  if (before === undefined || after === undefined) throw new Error(`could not read ${base} and ${head}`);
  return { base: before, head: after };
}

const git = createGit({ allowHttp: false });

type State = { sha: string } | { tree: FileTree; isCheckout: boolean };

/** A folder, such as the working tree, where no commit has the name. */
async function findState(name: string, repository: InRepository): Promise<State> {
  const sha = await findCommit(name, repository);
  if (sha !== undefined) return { sha };
  if (!(await isFolder(name))) throw new UsageError(`${name} is neither a commit of ${repository.gitDir} nor a folder`);
  const checkout = await readCheckout(resolve(name), repository);
  return { tree: checkout ?? readFolder(name), isCheckout: checkout !== undefined };
}

export const isFolder = (path: string): Promise<boolean> =>
  stat(path).then(
    (found) => found.isDirectory(),
    () => false,
  );

function readFolder(folder: string): FileTree {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
  const paths = entries.map((entry) => relative(folder, join(entry.parentPath, entry.name)));
  return readFiles(
    folder,
    paths.filter((path) => !/(?:^|\/)(?:\.git|node_modules)\//.test(path)),
  );
}

/** Folders and paths that do not exist are left out. Symbolic links exist, as in a commit, and are not read. */
function readFiles(folder: string, paths: readonly string[]): FileTree {
  const files = new Set<string>();
  const texts = new Map<string, string>();
  for (const path of paths) {
    const found = lstatSync(join(folder, path), { throwIfNoEntry: false });
    if (!found?.isFile() && !found?.isSymbolicLink()) continue;
    files.add(path);
    if (found.isFile() && isRead(path) && found.size <= maxReadBytes)
      texts.set(path, readFileSync(join(folder, path), 'utf8'));
  }
  return createTree({ paths: files, read: (path) => texts.get(path) });
}

/** The checkout of the repository that the folder is a part of. Undefined for a folder that git does not track there. */
async function readCheckout(folder: string, { gitDir, signal }: InRepository): Promise<FileTree | undefined> {
  const asked = ['rev-parse', '--absolute-git-dir', '--show-toplevel', '--show-prefix'];
  const found = await git([...trusting, ...asked], { cwd: folder, signal, okCodes: [0, 128] });
  const [itsGitDir, top = '', prefix = ''] = found.stdout.toString().split('\n');
  if (found.code !== 0 || itsGitDir !== gitDir) return undefined;
  const list = async (...which: string[]) => {
    const options = { cwd: top, gitDir, env: { GIT_WORK_TREE: top }, signal, maxOutputBytes: 64 * 1024 * 1024 };
    const { stdout } = await git(['ls-files', '-z', ...which], options);
    return stdout.toString().split('\0').slice(0, -1);
  };
  const tracked = await list('--cached');
  if (!tracked.some((path) => path.startsWith(prefix))) return undefined;
  return readFiles(top, [...tracked, ...(await list('--others', '--exclude-standard'))]);
}

/** Whoever names a repository may read it, though it belongs to another user. https://git-scm.com/docs/git-config#Documentation/git-config.txt-safedirectory */
const trusting = ['-c', 'safe.directory=*'];

/** A checkout has its repository in `.git`; git recognises a bare repository only by GIT_DIR. Undefined for a folder of no repository. */
export async function openRepository(folder: string, signal: AbortSignal): Promise<InRepository | undefined> {
  if (!(await isFolder(folder))) return undefined;
  const cwd = resolve(folder);
  for (const options of [{ cwd }, { cwd, gitDir: cwd }]) {
    const args = [...trusting, 'rev-parse', '--absolute-git-dir'];
    const { code, stdout } = await git(args, { ...options, signal, okCodes: [0, 128] });
    if (code === 0) return { git, gitDir: stdout.toString().trim(), signal };
  }
  return undefined;
}

export async function findCommit(name: string, { gitDir, signal }: InRepository): Promise<string | undefined> {
  const args = ['rev-parse', '--verify', '--quiet', '--end-of-options', `${name}^{commit}`];
  const { code, stdout } = await git(args, { gitDir, signal, okCodes: [0, 1, 128] });
  return code === 0 ? stdout.toString().trim() : undefined;
}
