import { join } from 'node:path';
import type { Config } from '../config/config.ts';
import { createGit, type Git } from '../git/git.ts';
import { createMirrors, type Mirrors } from '../git/mirrors/mirrors.ts';
import type { RunProcess } from '../git/processes/run-process.ts';
import type { GitHubApp } from '../github/auth/app.ts';
import { createAdmittedGit } from '../projects/admitted-git.ts';

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
