import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createPrivateKey } from '../../harness/create-private-key.ts';
import { startGitHub } from '../../local/github/start-github.ts';
import { createGit } from '../../src/git/git.ts';
import { createMirrors } from '../../src/git/mirrors/mirrors.ts';
import { createSpawner } from '../../src/git/processes/create-spawner.ts';
import { createWorkspaces } from '../../src/workspace/workspaces.ts';
import { mintToken } from '../load/mint-token.ts';

/** Checkouts as runs make them, of repositories of `acme` on a stand-in of GitHub, without the service around them. */
export async function openCheckouts() {
  await using cleanup = new AsyncDisposableStack();
  const directory = await mkdtemp(join(tmpdir(), 'pagewright-bench-'));
  cleanup.defer(() => rm(directory, { recursive: true, force: true }));
  const privateKey = createPrivateKey();
  const app = { id: 4242, slug: 'pagewright', privateKey, webhookSecret: 'of-nobody' };
  const github = cleanup.use(await startGitHub({ directory: join(directory, 'github'), app }));
  const { runProcess } = cleanup.use(createSpawner());
  const git = createGit({ allowHttp: true, runProcess });
  const signal = new AbortController().signal;
  github.addUser('rita');
  let installationId: number | undefined;
  let runs = 0;
  const disposables = cleanup.move();
  return {
    directory,
    git,
    runProcess,
    signal,
    rita: github.asPerson('rita'),
    async addRepository(name: string, files: Record<string, string>) {
      const repository = await github.addRepository({ owner: 'acme', name, files });
      installationId ??= github.install({ account: 'acme', repositories: 'all' });
      const token = await mintToken({ apiUrl: github.apiUrl, app, installationId });
      const { cloneUrl: url, id: repositoryId } = repository;
      return { ...repository, repositoryId, url, token };
    },
    /** Of a machine of its own. `bytes`: what GitHub says of the repositories' size. */
    createOpen(machine: string, { bytes = 0 } = {}) {
      const at = (folder: string) => join(directory, machine, folder);
      const mirrors = createMirrors({ git, directory: at('mirrors'), maxBytes: Number.MAX_SAFE_INTEGER });
      const workspaces = createWorkspaces({ git, directory: at('workspaces') });
      return async (repository: { repositoryId: number; url: string; token: string }): Promise<AsyncDisposable> => {
        await using stack = new AsyncDisposableStack();
        runs += 1;
        const runId = `run-${runs}`;
        const { repositoryId, url, token } = repository;
        const request = { repositoryId, url, token, runId, base: 'main', branch: null, bytes, signal };
        const mirror = stack.use(await mirrors.fetch(request));
        stack.use(await workspaces.open({ runId, mirror, sha: mirror.baseSha, writes: new Map(), signal }));
        return stack.move();
      };
    },
    [Symbol.asyncDispose]: () => disposables.disposeAsync(),
  };
}
