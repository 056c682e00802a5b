import { createGit } from '../git/git.ts';
import { UsageError } from './usage-error.ts';

/**
 * The commit in which a checkout left the branch that it will be merged into: that of the pull request in a workflow on GitHub, otherwise the
 * default branch of `origin`, `main` or `master`. Throws `UsageError` if there is none.
 */
export async function findBaseToCompare(
  folder: string,
  { env, signal }: { env: NodeJS.ProcessEnv; signal: AbortSignal },
): Promise<string> {
  const git = createGit({ allowHttp: false });
  const ask = async (...args: string[]) => {
    const { code, stdout } = await git(['-c', 'safe.directory=*', ...args], {
      cwd: folder,
      signal,
      okCodes: [0, 1, 128],
    });
    return code === 0 ? stdout.toString().trim() : undefined;
  };
  if ((await ask('rev-parse', '--git-dir')) === undefined)
    throw new UsageError(`${folder} is not in a git repository: name BASE and HEAD, two folders or commits`);
  const target = env.GITHUB_BASE_REF;
  const names = target ? [`origin/${target}`] : ['origin/HEAD', 'origin/main', 'origin/master', 'main', 'master'];
  for (const name of names) {
    const commit = await ask('rev-parse', '--verify', '--quiet', '--end-of-options', `${name}^{commit}`);
    if (commit === undefined) continue;
    const base = await ask('merge-base', commit, 'HEAD');
    if (base !== undefined) return base;
    throw new UsageError(`${folder} has no commit in common with ${name}: fetch the whole history, or name BASE`);
  }
  throw new UsageError(`${folder} has no branch ${names.join(' or ')} to compare with: fetch it, or name BASE`);
}
