import { createAppAuth } from '@octokit/auth-app';
import { Octokit } from '@octokit/rest';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { edit, finish, hold, write } from '../../../harness/script-steps.ts';
import { steps } from '../../../local/model/script.ts';
import { oneRun } from '../../support/worlds/correction.ts';
import { openWorkshop, type Workshop } from '../../support/worlds/workshop.ts';

const cheer = edit('index.md', 'Welcome.', 'Welcome!');
const signed = [{ type: 'required_signatures' }];

let shop: Workshop;
beforeAll(async () => {
  shop = await openWorkshop();
  const { github } = shop.world;
  github.setRules(shop.name, 'pagewright/*', signed);
  // Whoever merges may not bypass what the App may.
  github.setRules(shop.name, 'signed-base', signed, { canBypass: true });
  await shop.rita.pushCommit(shop.name, 'signed-base', { 'base.md': 'A base.\n' }, 'A base with rules');
});
afterAll(() => shop[Symbol.asyncDispose]());

/** What GitHub says of a commit. */
async function readCommit(sha: string | null | undefined) {
  const { APP_ID: appId, PRIVATE_KEY: privateKey } = shop.world.environment;
  const { installationId } = shop.world;
  const baseUrl = shop.world.github.apiUrl;
  const octokit = new Octokit({ baseUrl, authStrategy: createAppAuth, auth: { appId, privateKey, installationId } });
  const { data } = await octokit.rest.repos.getCommit({ owner: 'acme', repo: 'docs', ref: sha ?? '' });
  const { message, verification, author } = data.commit;
  return { message, isVerified: verification?.verified, author: author?.name, parents: data.parents.length };
}

const commitsOf = (branch: string, from = 'main') => shop.github.commits(branch, from);

test.concurrent('GitHub makes the commits where a branch requires signatures, in the first run and the next', async () => {
  const job = await shop.create('Sign this', [
    oneRun,
    steps([edit('limits.md', '100', '200'), write('new.md', 'New.\n'), finish('It is 200 now.')]),
  ]);
  const { source } = await job.settled();
  await job.message('Rather 200.');
  expect(await job.settled()).toMatchObject({ status: 'completed' });
  const [first, second] = await job.runs();
  expect(await commitsOf(source.ref)).toEqual([second?.commit, first?.commit]);
  expect(await readCommit(first?.commit)).toMatchObject({ isVerified: true, author: 'pagewright-test[bot]' });
  const { message, isVerified } = await readCommit(second?.commit);
  expect(isVerified).toBe(true);
  expect(message).toMatch(new RegExp(`^It is 200 now\\.\\n\\nIt is 200 now\\.\\n\\nPagewright-Run: ${second?.id}$`));
  expect(await shop.github.file(source.ref, 'new.md')).toBe('New.');
});

test.concurrent('a base that requires signatures gets signed commits, even if the App may bypass the rule', async () => {
  const job = await shop.create('For a strict base', [oneRun], { ref: 'signed-base' });
  await job.settled();
  const [run] = await job.runs();
  expect(await readCommit(run?.commit)).toMatchObject({ isVerified: true });
});

test.concurrent('promise 13: a person’s push during a signed run is kept below the run’s commit', async () => {
  const cheering = hold(cheer);
  const job = await shop.create('Sign on top', [oneRun, steps([cheering.step, finish('Happier.')])]);
  const { source } = await job.settled();
  await job.message('Happier, please.');
  await cheering.asked;
  const theirs = await shop.rita.pushCommit(
    shop.name,
    source.ref,
    { 'theirs.md': 'Theirs.\n' },
    'A change of a person',
  );
  cheering.release();
  await job.settled();
  const [first, second] = await job.runs();
  expect(await commitsOf(source.ref)).toEqual([second?.commit, theirs, first?.commit]);
  expect(await readCommit(second?.commit)).toMatchObject({ isVerified: true });
  expect(await shop.github.file(source.ref, 'index.md')).toContain('Welcome!');
});

test('promise 1: a run finds its signed commit after a lost answer', async () => {
  const job = await shop.create('Sign and lose', [oneRun, steps([cheer, finish('Happier.')])]);
  const { source } = await job.settled();
  const lost = shop.world.github.inject({ method: 'POST', path: /^\/graphql$/, kind: 'after' });
  await job.message('Happier, please.');
  expect(await job.settled()).toMatchObject({ status: 'completed' });
  expect(lost.hits()).toBe(1);
  const [first, second] = await job.runs();
  expect(second?.code).toBe('published');
  expect(await commitsOf(source.ref)).toEqual([second?.commit, first?.commit]);
});

test.concurrent('an executable page, which a signed commit could not keep as one, ends the run with the reason', async () => {
  const { git, branches } = shop.github;
  await git('read-tree', 'main');
  await git('update-index', '--add', '--cacheinfo', `100755,${await git('rev-parse', 'main:index.md')},tool.md`);
  const commit = await git('commit-tree', await git('write-tree'), '-p', 'main', '-m', 'A tool');
  await git('update-ref', 'refs/heads/tools', commit);
  const scripts = [steps([edit('tool.md', 'Welcome.', 'Welcome!'), finish('Happier.')])];
  const job = await shop.create('Sign a tool', scripts, { ref: 'tools' });
  expect(await job.settled()).toMatchObject({ status: 'failed', prLink: null });
  const [run] = await job.runs();
  expect(run).toMatchObject({ code: 'signing_unsupported', sentence: expect.stringContaining('it is executable') });
  expect(await branches()).not.toContainEqual(expect.stringContaining('happier'));
});

test('a signed commit that GitHub refuses leaves an empty branch, to which the next run adds only its change', async () => {
  const { name, rita } = shop;
  await rita.pushCommit(name, 'growing', { 'base.md': 'A base.\n' }, 'A base');
  const refusal = {
    data: { createCommitOnBranch: null },
    errors: [{ type: 'UNPROCESSABLE', message: 'No such words' }],
  };
  const path = /^\/graphql$/;
  const refused = shop.world.github.inject({ method: 'POST', path, kind: 'answer', status: 200, body: refusal });
  const unchanged = steps([finish('Nothing to do.')]);
  const scripts = [oneRun, unchanged, unchanged, oneRun];
  const job = await shop.create('Sign when refused', scripts, { ref: 'growing' });
  expect(await job.settled()).toMatchObject({ status: 'failed', prLink: null });
  expect(refused.hits()).toBe(1);
  // A rule that the refusal tells of is known to the next run.
  const sameBranch = `pagewright/*${job.id.slice(-8)}`;
  shop.world.github.setRules(name, sameBranch, [{ type: 'update' }]);
  await job.message('Go on.');
  expect(await job.settled()).toMatchObject({ status: 'failed' });
  shop.world.github.setRules(name, sameBranch, []);
  await rita.pushCommit(name, 'growing', { 'other.md': 'Of somebody else.\n' }, 'Work of others');

  await job.message('Is there anything left?');
  expect(await job.settled()).toMatchObject({ status: 'completed', prLink: null });
  await job.message('Again.');
  const { source, status } = await job.settled();
  expect(status).toBe('completed');
  const [first, second, third, fourth] = await job.runs();
  expect(first?.effects).toContainEqual(expect.objectContaining({ key: `${first?.id}:push`, state: 'refused' }));
  expect(second).toMatchObject({ code: 'branch_rules', turns: 0 });
  expect(third?.code).toBe('unchanged');
  expect(await commitsOf(source.ref, 'growing')).toEqual([fourth?.commit]);
  expect(await shop.github.git('show', '--format=', '--name-only', fourth?.commit ?? '')).toBe('limits.md');
});
