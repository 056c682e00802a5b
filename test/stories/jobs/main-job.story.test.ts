import { afterAll, beforeAll, expect, test } from 'vitest';
import { edit, finish } from '../../../harness/script-steps.ts';
import { steps } from '../../../local/model/script.ts';
import { jobShape } from '../../support/doors/api.ts';
import { openWorkshop, type Workshop } from '../../support/worlds/workshop.ts';

const prompt = 'The limit is 100 requests, not 60.';
const change = edit('limits.md', '60 requests', '100 requests');
const done = finish('The limit is 100 now.', { title: 'Correct the rate limit', description: 'Says 100.' });
const oneRun = steps([change, done]);

let shop: Workshop;
beforeAll(async () => {
  shop = await openWorkshop({ environment: { OPENAI_MODELS: 'gpt-test, gpt-small' } });
});
afterAll(() => shop[Symbol.asyncDispose]());

test.concurrent('an instruction becomes a pull request, and every response is a job with exactly seven fields', async () => {
  const { world, caller, github } = await shop.createIn('alone');
  shop.choices.push({ when: prompt, script: oneRun });
  const created = jobShape.parse(await caller.call('POST', '', { prompt }));
  expect(created).toMatchObject({ status: 'active', prLink: null, archivedAt: null, model: 'gpt-test' });
  expect(created.source).toEqual({ repository: `${world.github.webUrl}/alone/docs`, ref: 'main' });

  await caller.settled(created.id);
  const ended = jobShape.parse(await caller.call('GET', `/${created.id}`));
  const branch = ended.source.ref;
  expect(ended).toEqual({
    ...created,
    status: 'completed',
    source: { ...created.source, ref: branch },
    prLink: `${world.github.webUrl}/alone/docs/pull/1`,
  });
  expect(branch).toMatch(/^pagewright\/correct-the-rate-limit-[0-9a-z]{8}$/);
  expect(await github.branches()).toEqual([branch]);
  expect(await github.changedFiles(branch)).toEqual(['limits.md']);
  expect(await github.file(branch, 'limits.md')).toBe('# Limits\n\n100 requests per minute.');

  const pullRequest = await github.pullRequest(1);
  expect(pullRequest).toMatchObject({ title: 'Correct the rate limit', draft: false, state: 'open' });
  expect(pullRequest.base.ref).toBe('main');
  expect(pullRequest.head.ref).toBe(branch);
  expect(pullRequest.user?.login).toBe('pagewright-test[bot]');
  const asked = /^- \*\*ci\*\* \(api\), \d{4}-\d\d-\d\d \d\d:\d\d UTC:\n {2}> The limit is 100 requests, not 60\.$/m;
  expect(pullRequest.body).toContain('Says 100.');
  expect(pullRequest.body).toMatch(asked);
  expect(pullRequest.body).not.toContain('WARNING');
  expect(pullRequest.body?.endsWith(`<!-- pagewright:job ${created.id} -->`)).toBe(true);
  expect(await github.comments(1)).toEqual([]);
});

test.concurrent('a run makes one commit, by the bot of the App, that names the run', async () => {
  const { github } = shop;
  const job = await shop.create('Commit it once.', [oneRun]);
  const { source } = await job.settled();

  const [run] = await job.runs();
  expect(run).toMatchObject({ number: 1, status: 'ended', code: 'published' });
  expect(run?.sentence).toBe('1 changed file was published in the pull request.');
  expect(await github.commits(source.ref)).toEqual([run?.commit]);
  const people = await github.git('log', '-1', '--format=%an|%ae|%cn|%ce', source.ref);
  const email = /^\d+\+pagewright-test\[bot\]@users\.noreply\.127\.0\.0\.1$/;
  const [author, authorEmail, committer, committerEmail] = people.split('|');
  expect([author, committer]).toEqual(['pagewright-test[bot]', 'pagewright-test[bot]']);
  expect(authorEmail).toMatch(email);
  expect(committerEmail).toBe(authorEmail);
  const message = await github.git('log', '-1', '--format=%B', source.ref);
  expect(message).toBe(`Correct the rate limit\n\nThe limit is 100 now.\n\nPagewright-Run: ${run?.id}`);
});

test.concurrent('a missing base branch fails the job with a sentence', async () => {
  const job = await shop.create('Correct what is nowhere.', [], { ref: 'nowhere' });
  expect(await job.settled()).toMatchObject({ status: 'failed', prLink: null });
  const runs = await job.runs();
  expect(runs).toMatchObject([{ code: 'branch_missing', turns: 0 }]);
  expect(runs[0]?.sentence).toContain('nowhere');
});
