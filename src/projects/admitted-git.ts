import type { Git } from '../git/git.ts';
import type { GitHubApp } from '../github/auth/app.ts';

/**
 * The same git, which talks to a remote only while the installation whose token it shows may ask GitHub, and throws `Parked` otherwise. A
 * limit that refuses it something counts for that installation.
 */
export function createAdmittedGit({
  git,
  github,
}: {
  git: Git;
  github: Pick<GitHubApp, 'admitGit' | 'tellGitLimited'>;
}): Git {
  const admitted: Git = async (args, options) => {
    const { credential, signal } = options;
    if (credential) await github.admitGit({ token: credential.token, signal });
    return git(args, options);
  };
  return Object.assign(admitted, { onLimited: github.tellGitLimited });
}
