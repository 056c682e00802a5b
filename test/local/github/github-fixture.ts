import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { createAppAuth } from '@octokit/auth-app';
import { Octokit } from '@octokit/rest';
import { inject } from 'vitest';
import { createGitClient } from '../../../harness/git-client.ts';
import { type GitHubSettings, startGitHub } from '../../../local/github/start-github.ts';

const privateKey = inject('privateKey');

export const docs = { owner: 'acme', repo: 'docs' };

interface NewPullRequest {
  branch?: string;
  text?: string;
  title?: string;
  body?: string;
}

export const app = { id: 4711, slug: 'pagewright', privateKey, webhookSecret: 'the secret of these tests' };

/** A stand-in with `acme/docs` on it and the App installed there; everything ends with the scope. */
export async function createFixture(settings: Partial<GitHubSettings> = {}) {
  const directory = await mkdtemp(join(tmpdir(), 'local-github-'));
  const github = await startGitHub({
    directory: join(directory, 'repositories'),
    ...settings,
    app: { ...app, ...settings.app },
  });
  github.addUser('mona');
  const repository = await github.addRepository({
    owner: 'acme',
    name: 'docs',
    files: { 'README.md': '# Docs\n', 'guide/start.md': 'Start here.\n' },
  });
  github.setPermission('acme/docs', 'mona', 'write');
  const installationId = github.install({ account: 'acme', repositories: 'all' });

  const log = { debug() {}, info() {}, warn() {}, error() {} };
  const shared = { baseUrl: github.apiUrl, log, request: { retries: 0 } };
  const asApp = new Octokit({ ...shared, authStrategy: createAppAuth, auth: { appId: app.id, privateKey } });
  const asInstallation = new Octokit({
    ...shared,
    authStrategy: createAppAuth,
    auth: { appId: app.id, privateKey, installationId },
  });

  const mint = async (
    options: { permissions?: Record<string, string>; repository_ids?: number[]; repositories?: string[] } = {},
  ) => {
    const { data } = await asApp.request('POST /app/installations/{installation_id}/access_tokens', {
      installation_id: installationId,
      ...options,
    });
    return data;
  };

  let clones = 0;
  return {
    /** Mona writes a file on a branch, and the App opens a pull request from it. */
    async openPullRequest({ branch = 'work', text = 'one\n', ...more }: NewPullRequest = {}) {
      await github.asPerson('mona').pushCommit('acme/docs', branch, { [`${branch}.md`]: text }, 'Write');
      const opened = { ...docs, title: 'Work', head: branch, base: 'main', ...more };
      return (await asInstallation.rest.pulls.create(opened)).data;
    },
    github,
    repository,
    installationId,
    asApp,
    asInstallation,
    mint,
    withToken: (token: string) => new Octokit({ ...shared, auth: token }),
    /** A clone with a token of its own, and what is needed to push from it. */
    async clone(options: Parameters<typeof mint>[0] = {}) {
      const { token } = await mint(options);
      const git = createGitClient({ token });
      clones += 1;
      const path = join(directory, `clone-${clones}`);
      await git.run(directory, 'clone', '--quiet', repository.cloneUrl, path);
      return {
        path,
        git: (...args: string[]) => git.run(path, ...args),
        async commit(files: Record<string, string>, message = 'change') {
          for (const [name, content] of Object.entries(files)) {
            await mkdir(dirname(join(path, name)), { recursive: true });
            await writeFile(join(path, name), content);
          }
          await git.run(path, 'add', '--all');
          await git.run(path, 'commit', '--quiet', '--message', message);
          return git.run(path, 'rev-parse', 'HEAD');
        },
      };
    },
    async [Symbol.asyncDispose]() {
      await github.stop();
      await rm(directory, { recursive: true });
    },
  };
}

export type Fixture = Awaited<ReturnType<typeof createFixture>>;

/** A server that keeps every webhook it is sent and answers 202. */
export async function createReceiver(status = 202) {
  const received: { headers: Record<string, string | string[] | undefined>; body: string }[] = [];
  const server = createServer(async (request, response) => {
    const body = Buffer.concat(await request.toArray()).toString();
    received.push({ headers: request.headers, body });
    response.writeHead(status).end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  return {
    url: `http://127.0.0.1:${address.port}/api/github/webhooks`,
    received,
    events: () =>
      received.map(({ headers, body }) => {
        const { action } = JSON.parse(body);
        return [headers['x-github-event'], action].filter(Boolean).join('.');
      }),
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
