import type { InRepository } from './git.ts';
import { type CommitDetails, readTreeSha, type TreeChange, writeMoment } from './write-commit.ts';

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
  const { git, gitDir, signal } = repository;
  const { stdout } = await git([...caseSensitive, 'fast-import', '--quiet', '--done'], {
    signal,
    gitDir,
    stdin: input,
  });
  return stdout.toString().trim();
}

/** Within one fast-import: it is gone before its refs are written. */
const scratchRef = 'refs/pagewright/scratch';

/** Else two paths that differ only in case would be one on macOS. */
const caseSensitive = ['-c', 'core.ignoreCase=false'];

const writeData = (bytes: Uint8Array) => [`data ${bytes.length}\n`, bytes, '\n'];

const quote = (path: string) => `"${path.replace(/["\\]/g, '\\$&').replaceAll('\n', '\\n')}"`;
