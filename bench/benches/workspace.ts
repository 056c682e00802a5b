import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { createGitEnvironment } from '../../harness/git-client.ts';
import { describeRatio, type Figure, formatMs, median } from '../figures/figure.ts';
import { time } from '../figures/time.ts';
import { openCheckouts } from '../world/open-checkouts.ts';

const fileCount = 1_500;
const pairCount = 7;
const limits = { timeoutMs: 60_000, maxOutputBytes: 1024 ** 2 };

/** From the mirror to the files of a second job, after the base moved by one commit, against `git fetch` and `git worktree add`. */
export async function benchWorkspace(): Promise<Figure[]> {
  await using world = await openCheckouts();
  const text = 'A sentence of a page of documentation.\n'.repeat(100);
  const files = Object.fromEntries(
    Array.from({ length: fileCount }, (_, page) => [`docs/${page % 50}/${page}.md`, `# Page ${page}\n\n${text}`]),
  );
  const repository = await world.addRepository('docs', files);
  const open = world.createOpen('ours');
  const bare = join(world.directory, 'bare.git');
  await mkdir(bare);
  // Started as ours are: a fork of this process takes longer.
  const run = async (...args: string[]) => {
    const command = { command: 'git', args, cwd: bare, env: createGitEnvironment(repository.token), ...limits };
    const { code, stderr } = await world.runProcess(command, world.signal);
    if (code !== 0) throw new Error(stderr);
  };
  const add = async (tree: string) => {
    await run('fetch', '--quiet', '--no-tags', repository.url, '+refs/heads/main:refs/heads/base');
    await run('worktree', 'add', '--quiet', '--detach', tree, 'base');
  };
  await run('init', '--quiet', '--bare');
  await (await open(repository))[Symbol.asyncDispose]();
  await add(join(world.directory, 'first'));

  const pairs: { ours: number; theirs: number }[] = [];
  for (let pair = 0; pair < pairCount; pair += 1) {
    await world.rita.pushCommit(repository.fullName, 'main', { 'docs/new.md': `${pair}\n` }, `Change ${pair}`);
    const tree = join(world.directory, `tree-${pair}`);
    await using opened = new AsyncDisposableStack();
    const ours = async () => opened.use(await open(repository));
    // They take turns in going first, so that neither always finds a warm disk cache.
    const oursFirst = pair % 2 === 0 ? await time(ours) : undefined;
    const theirs = await time(() => add(tree));
    pairs.push({ ours: oursFirst ?? (await time(ours)), theirs });
    await run('worktree', 'remove', '--force', tree);
  }
  return [
    { what: `second job's files, ${fileCount} of them`, measured: formatMs(median(pairs.map(({ ours }) => ours))) },
    { what: 'git fetch and git worktree add', measured: formatMs(median(pairs.map(({ theirs }) => theirs))) },
    describeRatio('job / git', pairs, { atMost: 1.2 }),
  ];
}
