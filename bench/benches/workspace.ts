import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { createPrivateKey } from '../../harness/create-private-key.ts';
import { createGitEnvironment } from '../../harness/git-client.ts';
import { startGitHub } from '../../local/github/start-github.ts';
import { createGit } from '../../src/git/git.ts';
import { createMirrors } from '../../src/git/mirrors/mirrors.ts';
import { createWorkspaces } from '../../src/workspace/workspaces.ts';
import { describeRatio, type Figure, formatMs, median } from '../figures/figure.ts';
import { time } from '../figures/time.ts';
import { mintToken } from '../load/mint-token.ts';

const fileCount = 1_500;
const pairCount = 7;

/** From the mirror to the files of a second job, after the base moved by one commit, against `git fetch` and `git worktree add`. */
export async function benchWorkspace(): Promise<Figure[]> {
  await using cleanup = new AsyncDisposableStack();
  const directory = await mkdtemp(join(tmpdir(), 'pagewright-bench-'));
  cleanup.defer(() => rm(directory, { recursive: true, force: true }));
  const privateKey = createPrivateKey();
  const app = { id: 4242, slug: 'pagewright', privateKey, webhookSecret: 'of-nobody' };
  const github = cleanup.use(await startGitHub({ directory: join(directory, 'github'), app }));
  const text = 'A sentence of a page of documentation.\n'.repeat(100);
  const files = Object.fromEntries(
    Array.from({ length: fileCount }, (_, page) => [`docs/${page % 50}/${page}.md`, `# Page ${page}\n\n${text}`]),
  );
  const repository = await github.addRepository({ owner: 'acme', name: 'docs', files });
  github.addUser('rita');
  const installationId = github.install({ account: 'acme', repositories: 'all' });
  const token = await mintToken({ apiUrl: github.apiUrl, app, installationId });
  const rita = github.asPerson('rita');
  const { cloneUrl: url, id: repositoryId } = repository;

  const signal = new AbortController().signal;
  const git = createGit({ allowHttp: true });
  const mirrors = createMirrors({ git, directory: join(directory, 'mirrors'), maxBytes: Number.MAX_SAFE_INTEGER });
  const workspaces = createWorkspaces({ git, directory: join(directory, 'workspaces') });
  const open = async (runId: string) => {
    const mirror = await mirrors.fetch({ repositoryId, url, token, runId, base: 'main', branch: null, signal });
    const workspace = await workspaces.open({ runId, mirror, sha: mirror.baseSha, writes: new Map(), signal });
    return async () => {
      await workspace[Symbol.asyncDispose]();
      await mirror[Symbol.asyncDispose]();
    };
  };
  const bare = join(directory, 'bare.git');
  const run = (...args: string[]) => promisify(execFile)('git', args, { cwd: bare, env: createGitEnvironment(token) });
  const add = async (tree: string) => {
    await run('fetch', '--quiet', '--no-tags', url, '+refs/heads/main:refs/heads/base');
    await run('worktree', 'add', '--quiet', '--detach', tree, 'base');
  };
  await promisify(execFile)('git', ['init', '--quiet', '--bare', bare]);
  await (await open('first'))();
  await add(join(directory, 'first'));

  const pairs: { ours: number; theirs: number }[] = [];
  for (let pair = 0; pair < pairCount; pair += 1) {
    await rita.pushCommit(repository.fullName, 'main', { 'docs/new.md': `${pair}\n` }, `Change ${pair}`);
    const tree = join(directory, `tree-${pair}`);
    let close = async () => {};
    const ours = async () => {
      close = await open(`run-${pair}`);
    };
    // They take turns in going first, so that neither always finds a warm disk cache.
    const oursFirst = pair % 2 === 0 ? await time(ours) : undefined;
    const theirs = await time(() => add(tree));
    pairs.push({ ours: oursFirst ?? (await time(ours)), theirs });
    await close();
    await run('worktree', 'remove', '--force', tree);
  }
  return [
    { what: `second job's files, ${fileCount} of them`, measured: formatMs(median(pairs.map(({ ours }) => ours))) },
    { what: 'git fetch and git worktree add', measured: formatMs(median(pairs.map(({ theirs }) => theirs))) },
    describeRatio('job / git', pairs, { atMost: 1.2 }),
  ];
}
