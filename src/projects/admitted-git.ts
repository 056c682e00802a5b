import type { Git } from '../git/git.ts';
import type { GitHubApp } from '../github/auth/app.ts';

/** Throws `Parked` instead of contacting the remote during a rate limit, and reports limits. */
export function createAdmittedGit(parts: {
  git: Git;
  github: { admitGit: GitHubApp['admitGit']; reportGitLimit: GitHubApp['reportGitLimit'] };
}): Git {
  const { git, github } = parts;
  const admitted: Git = async (args, options) => {
    const { credential, signal } = options;
    if (credential) await github.admitGit({ token: credential.token, signal });
    return git(args, options);
  };
  return Object.assign(admitted, { admit: github.admitGit, onLimited: github.reportGitLimit });
}
