import { execFile } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { Octokit } from '@octokit/rest';
import { createGitEnvironment } from '../../harness/git-client.ts';
import type { BenchWorld } from '../world/open-world.ts';
import { mintToken } from './mint-token.ts';

const execute = promisify(execFile);

/** How many times it starts git for one job. */
export const bareJobCommands = 7;

/** The git and REST work of one pull request in a plain script: one step after the other, in a new folder. */
export function createBareJob({ github, repository, app, installationId }: BenchWorld, directory: string) {
  const { apiUrl } = github;
  const [owner = '', repo = ''] = repository.fullName.split('/');
  const mirror = join(directory, 'mirror.git');

  return async (name: string): Promise<void> => {
    const reading = await mintToken({ apiUrl, app, installationId });
    const url = `${github.webUrl}/${repository.fullName}.git`;
    const git = (cwd: string, ...args: string[]) => execute('git', args, { cwd, env: createGitEnvironment(reading) });
    const reader = new Octokit({ baseUrl: apiUrl, auth: reading }).rest;
    await reader.repos.getBranchRules({ owner, repo, branch: name });
    await mkdir(mirror, { recursive: true });
    await git(mirror, 'init', '--quiet', '--bare');
    await git(mirror, 'fetch', '--quiet', '--no-tags', url, '+refs/heads/main:refs/heads/base');
    const files = join(directory, name);
    await git(mirror, 'worktree', 'add', '--quiet', '-b', name, files, 'base');
    await writeFile(join(files, `${name}.md`), `Page ${name}.\n`);
    await git(files, 'add', '--all');
    await git(files, 'commit', '--quiet', '-m', name);

    const writing = await mintToken({ apiUrl, app, installationId });
    const { rest } = new Octokit({ baseUrl: apiUrl, auth: writing });
    await execute('git', ['push', '--quiet', url, `HEAD:refs/heads/${name}`], {
      cwd: files,
      env: createGitEnvironment(writing),
    });
    await rest.pulls.create({ owner, repo, head: name, base: 'main', title: name, body: name });
    await rest.apps.revokeInstallationAccessToken();
    await git(mirror, 'worktree', 'remove', '--force', files);
  };
}
