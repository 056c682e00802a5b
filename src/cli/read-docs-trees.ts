import { readdir, readFile, stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { isRead, maxReadBytes } from '../docs/is-read.ts';
import { createTree, type FileTree } from '../docs/tree.ts';
import { createGitTrees } from '../docs-session/git-trees.ts';
import { createGit, type InRepository } from '../git/git.ts';
import { readListing } from '../git/listing.ts';
import { readObjects } from '../git/objects.ts';
import { UsageError } from './usage-error.ts';

/** Reads two folders, or with `repo` two of its commits, or one and a folder. Throws `UsageError` when one of them does not exist. */
export async function readDocsTrees({
  base,
  head,
  repo,
  signal,
}: {
  base: string;
  head: string;
  repo: string | undefined;
  signal: AbortSignal;
}): Promise<{ base: FileTree; head: FileTree }> {
  if (repo === undefined) {
    return { base: await readFolder(base), head: await readFolder(head) };
  }
  const git = createGit({ allowHttp: false });
  const gitDir = await findGitDirectory(resolve(repo), { git, signal });
  const repository = { git, gitDir, signal };
  const states = [await findState(base, repository), await findState(head, repository)];
  const commits = states.flatMap((state) => ('sha' in state ? [state.sha] : []));
  const texts = createGitTrees(await Promise.all(commits.map((sha) => readListing({ ...repository, sha }))));
  const trees = texts.createTrees(await readObjects({ ...repository, shas: texts.wanted }));
  const [before, after] = states.map((state) => ('tree' in state ? state.tree : trees.shift()));
  if (before === undefined || after === undefined) throw new Error(`could not read ${base} and ${head}`);
  return { base: before, head: after };
}

/** A folder, such as the working tree, where no commit has the name. */
async function findState(name: string, repository: InRepository): Promise<{ sha: string } | { tree: FileTree }> {
  const sha = await findCommit(name, repository);
  if (sha !== undefined) return { sha };
  if (!(await isFolder(name))) throw new UsageError(`${name} is neither a commit of ${repository.gitDir} nor a folder`);
  return { tree: await readFolder(name) };
}

const isFolder = (path: string): Promise<boolean> =>
  stat(path).then(
    (found) => found.isDirectory(),
    () => false,
  );

async function readFolder(folder: string): Promise<FileTree> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => {
    throw new UsageError(`${folder} is not a folder; to compare commits, add --repo DIR`);
  });
  const paths = entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(join(folder, '/').length))
    .filter((path) => !/(?:^|\/)(?:\.git|node_modules)\//.test(path));
  const texts = new Map<string, string>();
  for (const path of paths.filter(isRead)) {
    const { size } = await stat(join(folder, path));
    if (size <= maxReadBytes) texts.set(path, await readFile(join(folder, path), 'utf8'));
  }
  return createTree({ paths: new Set(paths), read: (path) => texts.get(path) });
}

/** A checkout has its repository in `.git`; git recognises a bare repository only by GIT_DIR. */
async function findGitDirectory(repo: string, { git, signal }: Omit<InRepository, 'gitDir'>): Promise<string> {
  const ask = async (options: { cwd: string; gitDir?: string }) => {
    const args = ['rev-parse', '--absolute-git-dir'];
    const { code, stdout } = await git(args, { ...options, signal, okCodes: [0, 128] });
    return code === 0 ? stdout.toString().trim() : undefined;
  };
  const found = (await isFolder(repo))
    ? ((await ask({ cwd: repo })) ?? (await ask({ cwd: repo, gitDir: repo })))
    : undefined;
  if (found === undefined) throw new UsageError(`${repo} is not a git repository`);
  return found;
}

async function findCommit(name: string, { git, gitDir, signal }: InRepository): Promise<string | undefined> {
  const args = ['rev-parse', '--verify', '--quiet', '--end-of-options', `${name}^{commit}`];
  const { code, stdout } = await git(args, { gitDir, signal, okCodes: [0, 1, 128] });
  return code === 0 ? stdout.toString().trim() : undefined;
}
