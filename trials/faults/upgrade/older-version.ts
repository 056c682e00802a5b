import { symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { createGitClient } from '../../../harness/git-client.ts';
import { type SpawnedProcess, spawnProcess } from '../../../harness/processes/spawn-process.ts';

const root = join(import.meta.dirname, '../../..');

/** The last one with migrations up to 0005: version 0.1.0. */
export const olderCommit = 'cd471e76130c89e252331af30ee8564716b69125';

/** The code of the older version in a work tree of this repository; undefined in a clone without its commit. Disposing removes it. */
export async function checkOutOlderVersion(
  directory: string,
): Promise<(AsyncDisposable & { code: string }) | undefined> {
  const git = createGitClient();
  const isKnown = await git.run(root, 'cat-file', '-e', `${olderCommit}^{commit}`).then(
    () => true,
    () => false,
  );
  if (!isKnown) return undefined;
  const code = join(directory, 'older-version');
  await git.run(root, 'worktree', 'add', '--quiet', '--detach', code, olderCommit);
  await symlink(join(root, 'node_modules'), join(code, 'node_modules'));
  return {
    code,
    async [Symbol.asyncDispose]() {
      await git.run(root, 'worktree', 'remove', '--force', code);
    },
  };
}

export interface VersionProcess extends SpawnedProcess {
  url: string;
}

/** Starts the service of the code in `code`, by default of this version, in `cwd`. */
export async function spawnVersion({
  code = root,
  cwd,
  environment,
}: {
  code?: string;
  cwd: string;
  environment: Record<string, string>;
}): Promise<VersionProcess> {
  const command = [process.execPath, join(code, 'src/main.ts')] as const;
  const spawned = await spawnProcess({ command, cwd, environment: { ...environment, DATA_DIR: join(cwd, 'data') } });
  const url = await spawned.started(() => spawned.lines.map(readUrl).find((found) => found !== undefined));
  return {
    ...spawned,
    get lines() {
      return spawned.lines;
    },
    url,
  };
}

const readUrl = (line: string) => /"url":"(http:[^"]+)".*"msg":"pagewright is ready"/.exec(line)?.[1];
