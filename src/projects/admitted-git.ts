import type { GitHubApp } from '../github/app.ts';
import type { Git } from '../workspace/git.ts';

/** The same git, which talks to a remote only when the installation whose token it shows may ask GitHub. Throws `Parked` when not. */
export function createAdmittedGit({ git, github }: { git: Git; github: Pick<GitHubApp, 'admitGit'> }): Git {
  return async (args, options) => {
    const { credential, signal } = options;
    if (credential) await github.admitGit({ token: credential.token, signal });
    return git(args, options);
  };
}
