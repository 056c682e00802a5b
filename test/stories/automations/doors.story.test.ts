import { afterAll, beforeAll, expect, test } from 'vitest';
import { eventually } from '../../../harness/eventually.ts';
import { edit, finish } from '../../../harness/script-steps.ts';
import { startReceiver } from '../../../harness/start-receiver.ts';
import { createVisitor } from '../../../harness/visitor.ts';
import { type Script, steps } from '../../../local/model/script.ts';
import { jobShape } from '../../support/doors/api.ts';
import { firstJob, openAutomated } from '../../support/worlds/automated.ts';
import { readRuns } from '../../support/worlds/scenario.ts';
import { untilProcessed } from '../../support/worlds/until-processed.ts';
import { openWorkshop, type Workshop } from '../../support/worlds/workshop.ts';

let shop: Workshop;
let receiver: Awaited<ReturnType<typeof startReceiver>>;
beforeAll(async () => {
  receiver = await startReceiver();
  shop = await openWorkshop({ environment: { WEBHOOK_ALLOWED_HOSTS: receiver.host } });
});
afterAll(async () => {
  await shop[Symbol.asyncDispose]();
  await receiver[Symbol.asyncDispose]();
});

const correct: Script = ({ turn }) =>
  turn === 0
    ? edit('limits.md', 'per minute.', 'per minute and key.')
    : finish('Says it.', { title: 'Follow the limits', description: 'Says it.' });
const reason = 'Nothing to document: the change is internal.';
const nothing = steps([finish(reason)]);

test.concurrent('people see, run, pause and resume automations on the dashboard', async () => {
  const automated = await openAutomated(shop, 'seen', { script: nothing, lines: '    every: day\n' });
  const { world, merge, rita, name, jobs, automation, caller } = automated;
  const visitor = createVisitor({ url: shop.service.url, github: world.github });
  await visitor.signIn('rita');
  const address = `/projects/${world.projectId}/automations`;
  const number = await merge('Raise the limit');
  await eventually(async () => (await automation()).waiting > 0 || undefined);
  const shown = (await visitor.get(address)).text;
  for (const text of [
    'limits <span class="status status-completed">active</span>',
    'collected for a day',
    '(1 waiting)',
    'none yet',
  ])
    expect(shown).toContain(text);
  expect((await visitor.get(`${address}/limits/merged`)).text).toContain(`${name}#${number}</a> Raise the limit`);

  const refused = await visitor.post(`${address}/limits/run`, { 'pullRequest-limits': '<12>' });
  expect(refused.status).toBe(422);
  expect(refused.text).toContain('value="&lt;12&gt;"');
  expect(refused.text).toContain('Write a pull request as owner/name#number.');
  const unread = await visitor.post(`${address}/limits/run`, { 'pullRequest-limits': `${name}#99` });
  expect(unread.text).toContain('It is no pull request, or it was deleted.');
  const ran = await visitor.post(`${address}/limits/run`, { 'pullRequest-limits': `${name}#${number}` });
  const [job] = await jobs();
  expect(ran.location).toBe(`/projects/${world.projectId}/jobs/${job?.id}`);
  await caller.settled(job?.id ?? '');
  expect((await visitor.get(address)).text).toContain(reason);
  expect(await automation()).toMatchObject({ waiting: 0, nextRunAt: null });

  expect((await visitor.post(`${address}/limits/pause`)).location).toBe(address);
  expect((await visitor.get(address)).text).toContain('<span class="status status-warning">paused</span>');
  expect((await visitor.post(`${address}/limits/run`)).text).toContain('This automation is paused.');
  expect((await visitor.post(`${address}/limits/resume`)).location).toBe(address);
  expect(await automation()).toMatchObject({ state: 'active' });
  expect((await visitor.post(`${address}/other/pause`)).status).toBe(404);

  await rita.pushCommit(name, 'main', { '.github/pagewright.yml': 'automations:\n  limits: {}\n' }, 'A mistake');
  await untilProcessed(world);
  const wrong = (await visitor.get(address)).text;
  expect(wrong).toMatch(/The settings have [^.]*mistake[\s\S]*line 2/);
  expect(wrong).toContain('limits <span class="status status-completed">active</span>');
});

test.concurrent('`reviewers: [author]` asks the authors of what is documented, as far as they have access', async () => {
  const automated = await openAutomated(shop, 'authored', {
    script: correct,
    lines: '    every: day\n    reviewers: [author]\n',
  });
  const { world, merge, automation, ask, github, name } = automated;
  for (const login of ['kim', 'leaver']) {
    world.github.addUser(login);
    world.github.setPermission(name, login, 'write');
    await merge(`A change of ${login}`, { by: world.github.asPerson(login) });
  }
  world.github.setPermission(name, 'leaver', 'none');
  await eventually(async () => (await automation()).waiting === 2 || undefined);
  // Without a body, as by `curl -X POST`.
  expect((await ask('run')).status).toBe(201);
  const { prLink } = await firstJob(automated);
  const pullRequest = await github.pullRequest(Number(prLink?.split('/').at(-1)));
  expect(pullRequest.requested_reviewers?.map(({ login }) => login)).toEqual(['kim']);
});

test.concurrent('a webhook that asks for `automation.unchanged` is told why nothing was documented', async () => {
  const automated = await openAutomated(shop, 'told', { script: nothing });
  const { world, merge, headers } = automated;
  const create = (body: object) =>
    fetch(`${shop.service.url}/v2/agent/${world.projectId}/webhook`, {
      method: 'POST',
      headers,
      body: JSON.stringify(body),
    });
  const asks = { url: `${receiver.url}asks`, events: ['automation.unchanged'] };
  for (const body of [asks, { url: `${receiver.url}default` }]) expect((await create(body)).status).toBe(201);
  await merge('Rename a variable');
  const job = await firstJob(automated);
  const to = (path: string) =>
    receiver.posts.filter((post) => post.path.endsWith(path)).map(({ body }) => JSON.parse(body));
  await eventually(async () => (to('asks').length > 0 && to('default').length > 1) || undefined);
  expect(to('asks')).toMatchObject([
    { type: 'automation.unchanged', data: { job: { id: job.id }, run: { summary: reason } } },
  ]);
  expect(to('default').map(({ type }) => type)).not.toContain('automation.unchanged');
});

test.concurrent('promise 23: a run that is asked for again with its Idempotency-Key is taken up once', async () => {
  const { ask, jobs, caller } = await openAutomated(shop, 'repeated', { script: nothing });
  const key = { 'idempotency-key': 'once' };
  const answers = await Promise.all([ask('run', {}, key), ask('run', {}, key), ask('run', {}, key)]);
  const bodies = await Promise.all(answers.map(async (answer) => jobShape.parse(await answer.json())));
  expect(answers.map(({ status }) => status)).toEqual([201, 201, 201]);
  expect(new Set(bodies.map(({ id }) => id)).size).toBe(1);
  const [job] = await jobs();
  await caller.settled(job?.id ?? '');
  expect((await ask('run', {}, key)).headers.get('location')).toContain(job?.id);
  expect(await jobs()).toHaveLength(1);
  expect((await readRuns(caller, job?.id ?? '')).runs).toHaveLength(1);
  expect((await ask('run', { pullRequest: 'repeated/docs#1' }, key)).status).not.toBe(201);
  expect((await ask('pause')).status).toBe(200);
  expect((await ask('run', {}, key)).status).toBe(201);
});
