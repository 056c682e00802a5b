import type { InRepository } from './git.ts';
import { readGit, runGit } from './run-git.ts';

interface Identity {
  name: string;
  email: string;
}

/** The same details give the same SHA on any machine. */
export interface CommitDetails {
  message: string;
  author: Identity;
  committer: Identity;
  /** In UTC and whole seconds. */
  date: Date;
}

export interface TreeChange {
  path: string;
  bytes: Uint8Array | null;
  isExecutable: boolean;
}

/** Mode `0` removes the path. */
export interface TreeEntry {
  path: string;
  mode: string;
  sha: string;
}

/** Applies `entries` to a tree. `indexFile` is scratch. */
export async function writeEntries(
  request: InRepository & {
    /** A commit or a tree. */
    sha: string;
    entries: readonly TreeEntry[];
    indexFile: string;
  },
): Promise<string> {
  const { sha, entries, indexFile, ...at } = request;
  const options = { env: { GIT_INDEX_FILE: indexFile } };
  await runGit(at, ['read-tree', sha], options);
  const nothing = '0'.repeat(sha.length);
  const lines = entries.map((entry) => `${entry.mode} ${entry.mode === '0' ? nothing : entry.sha}\t${entry.path}\0`);
  await runGit(at, ['update-index', '-z', '--index-info'], { ...options, stdin: lines.join('') });
  return readGit(at, ['write-tree'], options);
}

export async function writeCommit(
  request: InRepository & { tree: string; parents: readonly string[]; details: CommitDetails },
): Promise<string> {
  const { tree, parents, details, ...at } = request;
  const { message, author, committer, date } = details;
  // Without @, git reads small numbers differently.
  const when = `@${writeMoment(date)}`;
  return readGit(at, ['commit-tree', tree, ...parents.flatMap((parent) => ['-p', parent])], {
    stdin: message.endsWith('\n') ? message : `${message}\n`,
    env: {
      GIT_AUTHOR_NAME: author.name,
      GIT_AUTHOR_EMAIL: author.email,
      GIT_AUTHOR_DATE: when,
      GIT_COMMITTER_NAME: committer.name,
      GIT_COMMITTER_EMAIL: committer.email,
      GIT_COMMITTER_DATE: when,
    },
  });
}

const writeMoment = (date: Date): string => `${Math.floor(date.getTime() / 1000)} +0000`;

export const readTreeSha = ({ sha, ...at }: InRepository & { sha: string }): Promise<string> =>
  readGit(at, ['rev-parse', '--verify', `${sha}^{tree}`], { isLasting: true });

export const writeBlob = ({ bytes, ...at }: InRepository & { bytes: Uint8Array }): Promise<string> =>
  readGit(at, ['hash-object', '-w', '--stdin', '--no-filters'], { stdin: bytes });

/** One git command. Returns the SHA; no ref leads to it. The same details give the same SHA. https://git-scm.com/docs/git-fast-import */
export async function importCommit(
  options: InRepository & {
    sha: string;
    changes: readonly TreeChange[];
    parents: readonly [string, ...string[]];
    details: CommitDetails;
  },
): Promise<string> {
  const { sha, changes, parents, details, ...repository } = options;
  const { message, author, committer, date } = details;
  const [parent, ...others] = parents;
  const when = writeMoment(date);
  const text = Buffer.from(message.endsWith('\n') ? message : `${message}\n`);
  const input = Buffer.concat(
    [
      `commit ${scratchRef}\nmark :1\n`,
      `author ${author.name} <${author.email}> ${when}\n`,
      `committer ${committer.name} <${committer.email}> ${when}\n`,
      ...writeData(text),
      `from ${parent}\n`,
      ...others.map((other) => `merge ${other}\n`),
      ...(parent === sha ? [] : [`M 040000 ${await readTreeSha({ ...repository, sha })} ""\n`]),
      // Removals first, because a file may replace an emptied folder.
      ...changes.filter(({ bytes }) => bytes === null).map(({ path }) => `D ${quote(path)}\n`),
      ...changes.flatMap(({ path, bytes, isExecutable }) =>
        bytes === null ? [] : [`M ${isExecutable ? '100755' : '100644'} inline ${quote(path)}\n`, ...writeData(bytes)],
      ),
      // The commit without its ref, which others would see.
      `get-mark :1\nreset ${scratchRef}\nfrom ${'0'.repeat(parent.length)}\n\ndone\n`,
    ].map((part) => (typeof part === 'string' ? Buffer.from(part) : part)),
  );
  return readGit(repository, [...caseSensitive, 'fast-import', '--quiet', '--done'], { stdin: input });
}

/** Within one fast-import: it is gone before its refs are written. */
const scratchRef = 'refs/pagewright/scratch';

/** Else two paths that differ only in case would be one on macOS. */
const caseSensitive = ['-c', 'core.ignoreCase=false'];

const writeData = (bytes: Uint8Array) => [`data ${bytes.length}\n`, bytes, '\n'];

const quote = (path: string) => `"${path.replace(/["\\]/g, '\\$&').replaceAll('\n', '\\n')}"`;
