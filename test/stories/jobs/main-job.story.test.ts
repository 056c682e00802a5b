import { expect, test } from 'vitest';
import { edit, finish, perRun, write } from '../../../harness/script-steps.ts';
import { startInWorld } from '../../../harness/start-service.ts';
import { steps } from '../../../local/model/script.ts';
import { addMessage } from '../../../src/jobs/add-message.ts';
import { jobShape } from '../../support/api.ts';
import { lookAt, readRuns } from '../../support/scenario.ts';
import { createWorld } from '../../support/world.ts';

const prompt = 'The limit is 100 requests, not 60.';
const change = edit('limits.md', '60 requests', '100 requests');
const done = finish('The limit is 100 now.', { title: 'Correct the rate limit', description: 'Says 100.' });

test.concurrent('an instruction becomes a pull request, and every response is a job with exactly seven fields', async () => {
  await using world = await createWorld({ script: steps([change, done]) });
  await using service = await startInWorld(world);
  const { caller } = service;
  const github = lookAt(world);

  const created = jobShape.parse(await caller.call('POST', '', { prompt }));
  expect(created).toMatchObject({ status: 'active', prLink: null, archivedAt: null, model: 'gpt-test' });
  expect(created.source).toEqual({ repository: `${world.github.webUrl}/acme/docs`, ref: 'main' });

  await caller.settled(created.id);
  const ended = jobShape.parse(await caller.call('GET', `/${created.id}`));
  const branch = ended.source.ref;
  expect(ended).toEqual({
    ...created,
    status: 'completed',
    source: { ...created.source, ref: branch },
    prLink: `${world.github.webUrl}/acme/docs/pull/1`,
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
  await using world = await createWorld({ script: steps([change, done]) });
  await using service = await startInWorld(world);
  const { id } = await service.caller.create(prompt);
  const { source } = await service.caller.settled(id);
  const github = lookAt(world);

  const [run] = (await readRuns(service.caller, id)).runs;
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

test.concurrent('the author of an instruction on GitHub is a co-author of the commit, once', async () => {
  await using world = await createWorld({
    script: perRun([steps([change, done]), steps([write('new.md', 'New.\n'), done])]),
  });
  await using service = await startInWorld(world);
  const { id } = await service.caller.create(prompt);
  const { source } = await service.caller.settled(id);
  const message = { projectId: world.projectId, jobId: id, source: 'comment', author: 'rita', rateLimit: 0 } as const;
  const person = { login: 'rita', userId: 77 };
  const { store } = world.database;
  await addMessage(store, { ...message, person, prompt: 'And add a page.' });
  await service.caller.settled(id);
  const text = await lookAt(world).git('log', '-1', '--format=%B', source.ref);
  expect(text).toMatch(/\nPagewright-Run: run_\w+\nCo-authored-by: rita <77\+rita@users\.noreply\.127\.0\.0\.1>$/);
});

test.concurrent('a run without changes creates no branch and no pull request, and stores its answer', async () => {
  await using world = await createWorld({ script: steps([finish('It says 60 already.')]) });
  await using service = await startInWorld(world);
  const { id } = await service.caller.create('Make sure it says 60.');
  const ended = await service.caller.settled(id);

  expect(ended).toMatchObject({ status: 'completed', prLink: null, source: { ref: 'main' } });
  expect(await lookAt(world).branches()).toEqual([]);
  expect(await lookAt(world).pullRequests()).toEqual([]);
  const { runs } = await readRuns(service.caller, id);
  const answer = { code: 'unchanged', summary: 'It says 60 already.', commit: null, effects: [] };
  expect(runs).toMatchObject([{ ...answer, messages: [{ state: 'answered' }] }]);
});

test.concurrent('the request sets base, model and draft', async () => {
  const asked: string[] = [];
  await using world = await createWorld({
    script: (request) => {
      asked.push(request.model);
      return steps([change, done])(request);
    },
  });
  await world.github.asPerson('rita').pushCommit('acme/docs', 'v1', { 'old.md': 'Old.\n' }, 'Keep version 1');
  await using service = await startInWorld(world, { OPENAI_MODELS: 'gpt-test, gpt-small' });
  const { id } = await service.caller.create(prompt, { ref: 'v1', model: 'gpt-small', draft: true });
  const ended = await service.caller.settled(id);

  expect(ended.status).toBe('completed');
  expect(new Set(asked)).toEqual(new Set(['gpt-small']));
  const pullRequest = await lookAt(world).pullRequest(1);
  expect(pullRequest).toMatchObject({ draft: true, base: { ref: 'v1' } });
  expect(await lookAt(world).git('merge-base', '--is-ancestor', 'v1', ended.source.ref)).toBe('');
});

const template = '## What changed\n\n## Checked by\n';
const withTemplate = { 'limits.md': '60 requests.\n', '.github/pull_request_template.md': template };

test.concurrent.each([
  ['is not added again when the model follows it', '## What changed\n\nThe limit.\n\n## Checked by\n\nNobody.', 1],
  ['is added when the model ignores it', 'The limit.', 1],
])('the pull request template %s', async (_name, description, times) => {
  const script = steps([edit('limits.md', '60', '100'), finish('Done.', { title: 'Limit', description })]);
  await using world = await createWorld({ script, files: withTemplate });
  await using service = await startInWorld(world);
  const { id } = await service.caller.create(prompt);
  await service.caller.settled(id);

  const { body } = await lookAt(world).pullRequest(1);
  expect(body?.match(/^## What changed$/gm)).toHaveLength(times);
  expect(body?.match(/^## Checked by$/gm)).toHaveLength(times);
  expect(JSON.stringify(world.model.requests[0]?.body)).toContain('## Checked by');
});

test.concurrent('a missing base branch fails the job with a sentence', async () => {
  await using world = await createWorld({ script: steps([]) });
  await using service = await startInWorld(world);
  const { id } = await service.caller.create(prompt, { ref: 'nowhere' });
  expect(await service.caller.settled(id)).toMatchObject({ status: 'failed', prLink: null });
  const { runs } = await readRuns(service.caller, id);
  expect(runs).toMatchObject([{ code: 'branch_missing', turns: 0 }]);
  expect(runs[0]?.sentence).toContain('nowhere');
});
