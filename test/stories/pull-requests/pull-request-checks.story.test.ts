import { afterAll, beforeAll, expect, test } from 'vitest';
import { eventually } from '../../../harness/eventually.ts';
import { runGit } from '../../../local/github/git/run-git.ts';
import { sweeps } from '../../../src/store/tables/remove-old.ts';
import { openWorkshop, type Workshop } from '../../support/worlds/workshop.ts';

let shop: Workshop;
beforeAll(async () => {
  shop = await openWorkshop();
});
afterAll(() => shop[Symbol.asyncDispose]());

async function open(owner: string, checks: string) {
  const there = await shop.openProject(owner, {
    'mkdocs.yml': 'site_name: Acme\n',
    'docs/index.md': '# Acme\n\n[Limits](limits.md)\n',
    'docs/limits.md': '# Limits\n',
    'src/index.ts': 'export {};\n',
  });
  const { world, name } = there;
  const rita = world.github.asPerson('rita');
  await rita.pushCommit(name, 'main', { '.github/pagewright.yml': `checks: ${checks}\n` }, 'Check');
  await shop.untilQuiet();
  let count = 0;
  /** Opens a pull request with these files; null deletes one. */
  const change = async (files: Record<string, string | null>) => {
    count += 1;
    const head = `topic-${count}`;
    const sha = await rita.pushCommit(name, head, files, 'Change');
    const { number } = await rita.openPullRequest(name, { title: 'Change', head, base: 'main' });
    return { sha, number, head };
  };
  const ours = (sha: string) => rita.listChecks(name).filter(({ headSha }) => headSha === sha);
  const ended = (sha: string, times = 1) =>
    eventually(async () => {
      const found = ours(sha).filter(({ status }) => status === 'completed');
      return found.length >= times ? found : undefined;
    });
  const rows = () => world.database.database.selectFrom('pull_request_checks').selectAll().execute();
  return { ...there, rita, change, ours, ended, rows };
}

test.concurrent('a pull request of a person gets one check run, with annotations where readers would stumble, but not of kinds that are off', async () => {
  const { world, rita, name, change, ours, ended } = await open('advised', 'advise\nchecks_off: [alt-text]');
  const { sha, number, head } = await change({
    'docs/index.md': '# Acme\n\n[Limits](limit.md) ![](https://acme.dev/a.png)\n',
  });
  const [check] = await ended(sha);
  expect(check).toMatchObject({ name: 'Pagewright docs', conclusion: 'neutral', app: { id: world.app.id } });
  expect(check?.title).toContain('1 problem must be fixed');
  expect(check?.annotations).toMatchObject([{ path: 'docs/index.md', startLine: 3, level: 'failure' }]);
  world.github.redeliver(world.github.deliveries.log.findLast(({ event }) => event === 'pull_request')?.id ?? 0);
  await rita.closePullRequest(name, number);
  await rita.reopenPullRequest(name, number);
  await shop.untilQuiet();
  expect(ours(sha)).toHaveLength(1);
  // Months later.
  const { database } = world.database;
  const finishedAt = { finished_at: new Date(Date.now() - 300 * 24 * 3600_000) };
  await database.updateTable('pull_request_checks').set(finishedAt).where('sha', '=', sha).execute();
  for (const sweep of sweeps) await sweep.execute(database);
  if (check) rita.rerunCheck(name, check);
  await ended(sha, 2);
  const again = await rita.pushCommit(name, head, { 'docs/index.md': '# Acme\n\n[Limits](limits.md) hold.\n' }, 'Fix');
  const [fixed] = await ended(again);
  expect(fixed).toMatchObject({ conclusion: 'neutral', annotations: [] });
  expect(fixed?.title).toMatch(/^No new problems/);
  expect(world.model.requests).toEqual([]);
});

test.concurrent('`require` fails on what must be fixed, also from a fork, and skips what is no documentation', async () => {
  const { world, name, change, ended } = await open('required', 'require');
  const code = await change({ 'src/index.ts': 'export const one = 1;\n' });
  const [skipped] = await ended(code.sha);
  expect(skipped).toMatchObject({ conclusion: 'skipped' });
  world.github.addUser('stranger');
  const stranger = world.github.asPerson('stranger');
  const links = Array.from({ length: 120 }, (_, index) => `[Limits](gone-${index}.md)\n`).join('\n');
  const fork = await stranger.openFromFork(name, {
    title: 'Help',
    base: 'main',
    files: { 'docs/index.md': `# Acme\n\n${links}` },
  });
  const [failed] = await ended(fork.headSha);
  expect(failed).toMatchObject({ conclusion: 'failure' });
  expect(failed?.annotations).toHaveLength(120);
  expect(new Set(failed?.annotations.map(({ startLine }) => startLine)).size).toBe(120);
});

test.concurrent('`off` asks GitHub nothing; `advise` says nothing about code', async () => {
  const off = await open('off', 'off');
  const before = off.world.github.requests.length;
  await off.change({ 'docs/index.md': '# Acme\n\n[Gone](gone.md)\n' });
  await shop.untilQuiet();
  expect(
    await off.world.github.requests
      .slice(before)
      .filter(({ path }) => path.includes('off/docs') && !path.endsWith('pagewright.yml')),
  ).toEqual([]);
  const advised = await open('quiet', 'advise');
  const { sha } = await advised.change({ 'src/index.ts': 'export const one = 1;\n' });
  await eventually(
    async () => (await advised.rows()).some((row) => row.sha === sha && row.state === 'passed') || undefined,
  );
  expect(advised.ours(sha)).toEqual([]);
});

test.concurrent('a head that somebody force-pushed away and back while it waited is checked', async () => {
  const { rita, name, change, ended, rows, world } = await open('returned', 'require');
  const first = await change({ 'docs/limits.md': '# Limits\n\nA.\n' });
  await ended(first.sha);
  const slow = world.github.inject({ path: /\/returned\/docs\/pulls\/\d+\/files/, kind: 'hold-before', times: 1 });
  const busy = await change({ 'docs/limits.md': '# Limits\n\nB.\n' });
  await eventually(async () => slow.hits() > 0 || undefined);
  const { sha, head } = await change({ 'docs/limits.md': '# Limits\n\nC.\n' });
  const newer = await rita.pushCommit(name, head, { 'docs/limits.md': '# Limits\n\nD.\n' }, 'Fix');
  await world.github.deliveries.settled();
  slow.release();
  await ended(busy.sha);
  await ended(newer);
  await eventually(async () => (await rows()).some((row) => row.sha === sha && row.state === 'passed') || undefined);
  await rita.forcePush(name, head, sha);
  await ended(sha);
});

test.concurrent('a head is checked when git shows it later than the webhook', async () => {
  const { change, ended, world, name } = await open('lagging', 'require');
  const slow = world.github.inject({ path: /\/lagging\/docs\/pulls\/\d+\/files/, kind: 'hold-before', times: 1 });
  const { sha, number } = await change({ 'docs/limits.md': '# Limits\n\nA.\n' });
  await eventually(async () => slow.hits() > 0 || undefined);
  const show = (revision: string) =>
    runGit(world.repository.gitDirectory, ['update-ref', `refs/pull/${number}/head`, revision]);
  await show('refs/heads/main');
  const fetched = () =>
    world.github.requests.filter(({ path }) => path.startsWith(`/${name}.git/git-upload-pack`)).length;
  const before = fetched();
  slow.release();
  await eventually(async () => fetched() > before || undefined);
  await show(sha);
  await ended(sha);
});

test.concurrent('what a merge queue wants to merge gets the required check, too', async () => {
  const { rita, name, change, ended } = await open('queued', 'require');
  const { sha, number } = await change({ 'docs/index.md': '# Acme\n\n[Limits](limits.md) hold.\n' });
  await ended(sha);
  // Meanwhile, somebody else's pull request removed the page.
  const base = await rita.pushCommit(name, 'main', { 'docs/limits.md': null, 'docs/index.md': '# Acme\n' }, 'Remove');
  const group = await rita.pushCommit(
    name,
    `gh-readonly-queue/main/pr-${number}-${base}`,
    { 'docs/index.md': '# Acme\n\n[Limits](limits.md) hold.\n' },
    'Merge',
  );
  const [check] = await ended(group);
  expect(check).toMatchObject({ name: 'Pagewright docs', conclusion: 'failure' });
});
