import { findCommit } from './read-git.ts';
import { runGit } from './run-git.ts';

/** Path → content; null deletes the file. */
export type Files = Record<string, string | Buffer | null>;

/**
 * Commits files on top of a ref (created when missing) and moves it, atomically in one fast-import. Returns the new SHA. The
 * committer defaults to the author.
 */
export async function writeCommit(
  directory: string,
  commit: {
    ref: string;
    from?: string;
    files: Files;
    message: string;
    author: Person;
    committer?: Person;
    date: Date;
  },
): Promise<string> {
  const { ref } = commit;
  const parent = commit.from ?? (await findCommit(directory, ref));
  const at = `${Math.floor(commit.date.getTime() / 1000)} +0000`;
  const { author, committer = author } = commit;
  const parts: (string | Buffer)[] = [
    `commit ${ref}\nauthor ${formatPerson(author)} ${at}\ncommitter ${formatPerson(committer)} ${at}\n`,
    ...data(commit.message),
    parent ? `from ${parent}\n` : '',
  ];
  for (const [path, content] of Object.entries(commit.files)) {
    if (content === null) parts.push(`D ${quote(path)}\n`);
    else parts.push(`M 100644 inline ${quote(path)}\n`, ...data(content));
  }
  parts.push('done\n');
  const input = Buffer.concat(parts.map((part) => Buffer.from(part)));
  await runGit(directory, ['fast-import', '--quiet', '--done', '--date-format=raw'], { input });
  return (await runGit(directory, ['rev-parse', ref])).trim();
}

export interface Person {
  name: string;
  email: string;
}

export const formatPerson = ({ name, email }: Person): string => `${name} <${email}>`;

function data(content: string | Buffer): (string | Buffer)[] {
  const bytes = Buffer.from(content);
  return [`data ${bytes.length}\n`, bytes, '\n'];
}

/** fast-import reads a path in quotes as a C string, so that any character may stand in it. */
const quote = (path: string): string => `"${path.replace(/["\\]/g, '\\$&').replaceAll('\n', '\\n')}"`;
