import { git } from '../world/write-tree.ts';

/** One changed path of a branch, from plain git. `000000`: the file does not exist. */
export interface Change {
  path: string;
  oldMode: string;
  newMode: string;
}

/** Every path that the branch changes, since it left main. */
export async function readChange(gitDirectory: string, branch: string): Promise<Change[]> {
  const raw = await git(gitDirectory, ['diff', '--raw', '-z', '--no-renames', `main...${branch}`]);
  const fields = raw.split('\0');
  return fields.flatMap((field, index) => {
    const [, oldMode, newMode] = /^:(\d{6}) (\d{6}) /.exec(field) ?? [];
    const path = fields[index + 1];
    return oldMode && newMode && path !== undefined ? [{ path, oldMode, newMode }] : [];
  });
}

/** The content of a file of a branch; null: there is none. */
export const readFileAt = (gitDirectory: string, branch: string, path: string): Promise<string | null> =>
  git(gitDirectory, ['cat-file', 'blob', `${branch}:${path}`]).catch(() => null);
