import { readdir, readFile, stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { isRead, maxReadBytes } from '../checks/is-read.ts';
import type { FileTree } from '../checks/tree.ts';
import { createGit, type InRepository } from '../git/git.ts';
import { readBlobs } from '../git/read-blobs.ts';
import { readTree } from '../git/tree.ts';
import { UsageError } from './usage-error.ts';

const limits = { maxFiles: Number.POSITIVE_INFINITY, maxBytes: Number.POSITIVE_INFINITY };

/** Reads two folders, or two commits of `repo`. Throws `UsageError` when one of them does not exist. */
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
}): Promise<{ base: FileTree; head: FileTree; renames: Map<string, string> }> {
  if (repo === undefined) {
    const [before, after] = [await readFolder(base), await readFolder(head)];
    return { base: before, head: after, renames: findMoves(before, after) };
  }
  const git = createGit({ allowHttp: false });
  const gitDir = await findGitDirectory(resolve(repo), { git, signal });
  const [from, to] = [await findCommit(base, { git, gitDir, signal }), await findCommit(head, { git, gitDir, signal })];
  const read = (sha: string) => readCommit(sha, { git, gitDir, signal });
  return {
    base: await read(from),
    head: await read(to),
    renames: await readRenames({ git, gitDir, signal, from, to }),
  };
}

async function readFolder(folder: string): Promise<FileTree> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => {
    throw new UsageError(`${folder} is no folder; to compare commits, add --repo DIR`);
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
  return { paths: new Set(paths), read: (path) => texts.get(path) };
}

/** Pages with the same text under another path. */
function findMoves(base: FileTree, head: FileTree): Map<string, string> {
  const gone = new Map([...base.paths].filter((path) => !head.paths.has(path)).map((path) => [base.read(path), path]));
  const added = [...head.paths].filter((path) => !base.paths.has(path));
  return new Map(
    added.flatMap((path) => {
      const text = head.read(path);
      const from = text === undefined ? undefined : gone.get(text);
      return from === undefined ? [] : [[path, from] as const];
    }),
  );
}

/** A checkout has its repository in `.git`; a bare repository is one itself, which git only believes when it is told so. */
async function findGitDirectory(repo: string, { git, signal }: Omit<InRepository, 'gitDir'>): Promise<string> {
  const ask = async (options: { cwd: string; gitDir?: string }) => {
    const args = ['rev-parse', '--absolute-git-dir'];
    const { code, stdout } = await git(args, { ...options, signal, okCodes: [0, 128] });
    return code === 0 ? stdout.toString().trim() : undefined;
  };
  const isFolder = await stat(repo).then(
    (found) => found.isDirectory(),
    () => false,
  );
  const found = isFolder ? ((await ask({ cwd: repo })) ?? (await ask({ cwd: repo, gitDir: repo }))) : undefined;
  if (found === undefined) throw new UsageError(`${repo} is no git repository`);
  return found;
}

async function findCommit(name: string, { git, gitDir, signal }: InRepository): Promise<string> {
  const args = ['rev-parse', '--verify', '--quiet', '--end-of-options', `${name}^{commit}`];
  const { code, stdout } = await git(args, { gitDir, signal, okCodes: [0, 1, 128] });
  if (code !== 0) throw new UsageError(`${name} is no commit of ${gitDir}`);
  return stdout.toString().trim();
}

async function readCommit(sha: string, repository: InRepository): Promise<FileTree> {
  const { files } = await readTree({ ...repository, sha, ...limits });
  const read = [...files].filter(([path]) => isRead(path));
  const blobs = await readBlobs({ ...repository, shas: read.map(([, file]) => file.sha), maxBytes: maxReadBytes });
  return {
    paths: new Set(files.keys()),
    read: (path) => blobs.get(files.get(path)?.sha ?? '')?.toString('utf8'),
  };
}

/** Git's own rename detection, at half of the lines. */
async function readRenames({ git, gitDir, signal, from, to }: InRepository & { from: string; to: string }) {
  const args = ['diff-tree', '-r', '-z', '-M', '--diff-filter=R', '--name-status', from, to, '--'];
  const fields = (await git(args, { gitDir, signal })).stdout.toString().split('\0');
  const renames = new Map<string, string>();
  for (let index = 0; index + 2 < fields.length; index += 3)
    renames.set(fields[index + 2] ?? '', fields[index + 1] ?? '');
  return renames;
}
