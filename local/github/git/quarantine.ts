import { mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { GitError, runGit } from './run-git.ts';

/**
 * The objects of a push beside the repository, where they can be looked at before they are in it. Gone at the end of the scope.
 * https://git-scm.com/docs/git-receive-pack#_quarantine_environment
 */
export async function openQuarantine(root: string, directory: string, pack: Buffer) {
  const objects = await mkdtemp(join(root, 'quarantine-'));
  const environment = { GIT_OBJECT_DIRECTORY: objects, GIT_ALTERNATE_OBJECT_DIRECTORIES: join(directory, 'objects') };
  const close = () => rm(objects, { recursive: true, force: true });
  try {
    if (pack.length > 0) await runGit(directory, ['index-pack', '--stdin', '--fix-thin'], { input: pack, environment });
  } catch (error) {
    await close();
    // A broken pack: git itself says so to the client when it is asked to store it.
    if (error instanceof GitError) return undefined;
    throw error;
  }
  return { environment, [Symbol.asyncDispose]: close };
}
