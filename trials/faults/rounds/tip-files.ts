import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

/** File texts by path; null: the file was deleted. */
export type Files = Record<string, string | null>;

/** The files on the tip of a branch, people's files apart, without empty ones. */
export async function readTipFiles(
  gitDirectory: string,
  branch: string,
): Promise<{ files: Files; filesOfPeople: Files }> {
  const { stdout } = await promisify(execFile)('git', ['-C', gitDirectory, 'grep', '-I', '-e', '', branch]);
  const lines = stdout
    .split('\n')
    .filter(Boolean)
    .map((line) => {
      const [path = '', ...text] = line.slice(`${branch}:`.length).split(':');
      return { path, text: `${text.join(':')}\n` };
    });
  const files = [...Map.groupBy(lines, ({ path }) => path)].map(([path, own]): [string, string] => [
    path,
    own.map(({ text }) => text).join(''),
  ]);
  return {
    files: Object.fromEntries(files.filter(([path]) => !isOfPeople(path))),
    filesOfPeople: Object.fromEntries(files.filter(([path]) => isOfPeople(path))),
  };
}

const isOfPeople = (path: string) => path.startsWith('by-rita-');

/** The files that changed or are gone. `n` stands for the number of the run, which differs in every job. */
export function subtractFiles(now: Files, then: Files, nth: number): Files {
  const plain = (text: string) => text.replace(new RegExp(`\\b${nth}\\b`, 'g'), 'n');
  const changed = Object.keys({ ...then, ...now }).filter((path) => now[path] !== then[path]);
  return Object.fromEntries(
    changed.map((path) => {
      const text = now[path];
      return [plain(path), text ? plain(text) : null];
    }),
  );
}
