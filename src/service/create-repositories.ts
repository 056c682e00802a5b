import { join } from 'node:path';
import type { Config } from '../config/config.ts';
import { createGit, type Git } from '../git/git.ts';
import { createMirrors, type Mirrors } from '../git/mirrors/mirrors.ts';
import type { RunProcess } from '../git/processes/run-process.ts';
import type { GitHubApp } from '../github/auth/app.ts';

/** The repositories in a process with a disk. */
export interface Repositories {
  git: Git;
  mirrors: Mirrors;
}

export function createRepositories(options: {
  config: Config;
  github: GitHubApp;
  runProcess: RunProcess;
}): Repositories {
  const { config, github, runProcess } = options;
  const allowHttp = config.github.webUrl.startsWith('http:');
  const git = createAdmittedGit({ git: createGit({ allowHttp, runProcess }), github });
  const directory = join(config.dataDir, 'mirrors');
  return { git, mirrors: createMirrors({ git, directory, maxBytes: config.cacheMaxBytes }) };
}

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
