import { afterAll, beforeAll, expect, test } from 'vitest';
import { eventually } from '../../../harness/eventually.ts';
import { edit, finish } from '../../../harness/script-steps.ts';
import type { Script } from '../../../local/model/script.ts';
import { steps } from '../../../local/model/script.ts';
import { firstJob, openAutomated } from '../../support/worlds/automated.ts';
import { openWorkshop, type Workshop } from '../../support/worlds/workshop.ts';

let shop: Workshop;
beforeAll(async () => {
  shop = await openWorkshop();
});
afterAll(() => shop[Symbol.asyncDispose]());

/** Adds a line about each change, one after the other. */
const addLine: Script = ({ turn, messages }) => {
  const earlier = messages[0]?.text.match(/<earlier-run /g)?.length ?? 0;
  if (turn === 0) return edit('limits.md', 'per minute.', `per minute. Change ${earlier + 1}.`);
  return finish(
    `Says change ${earlier + 1}.`,
    earlier === 0 ? { title: 'Follow the limits', description: 'Says it.' } : {},
  );
};

test.concurrent('promise 39: merged pull requests become one pull request, which names each of them', async () => {
  const automated = await openAutomated(shop, 'merged', { script: addLine });
  const { merge, github, jobs, caller, name, automation } = automated;
  const first = await merge('Raise the limit');
  const job = await firstJob(automated);
  const second = await merge('Raise it @rita #1 again');
  await eventually(async () => (await github.comments(2)).length > 0 || undefined);
  await caller.settled(job.id);
  expect(await jobs()).toHaveLength(1);
  const pullRequest = await github.pullRequest(2);
  expect(pullRequest.body).toContain('Says it.');
  expect(pullRequest.body).toContain('- Says change 2.');
  expect(pullRequest.body).toContain(`- ${name}#${first}: Raise the limit, by rita\n`);
  expect(pullRequest.body).toContain(`- ${name}#${second}: Raise it `);
  expect(pullRequest.body).not.toContain('it @rita #1');
  expect((await github.commits(job.source.ref)).length).toBe(2);
  expect(await github.comments(2)).toHaveLength(1);
  expect(await automation()).toMatchObject({
    state: 'active',
    waiting: 0,
    lastRun: { jobId: job.id, result: 'published' },
  });
});

test.concurrent('promise 39: where nothing needs to be said, nothing is said, and the automation says why', async () => {
  const reason = 'Nothing to document: the change is internal.';
  const automated = await openAutomated(shop, 'silent', { script: steps([finish(reason)]) });
  await automated.merge('Rename a variable');
  const job = await firstJob(automated);
  expect(job.prLink).toBeNull();
  expect((await automated.automation()).lastRun).toMatchObject({ result: 'unchanged', sentence: reason });
  expect(await automated.github.branches()).toEqual(['change-1']);
  expect(await automated.github.comments(1)).toEqual([]);
});

test.concurrent('promise 38: what is passed over says why', async () => {
  const automated = await openAutomated(shop, 'passed', { script: addLine });
  const { merge, automation, world, name } = automated;
  world.github.addUser('renovate[bot]', { type: 'Bot' });
  const bot = world.github.asPerson('renovate[bot]');
  await merge('Tidy the readme', { path: 'README.md' });
  await merge('Update dependencies', { by: bot });
  const documented = await merge('Write the page', { path: 'index.md' });
  await merge('Raise the limit', { body: `Documented in ${name}#${documented}.` });
  const { passedOver } = await eventually(async () => {
    const found = await automation();
    return found.passedOver.length >= 4 ? found : undefined;
  });
  expect(Object.fromEntries(passedOver.map(({ occasion, reason }) => [occasion.split('#')[1], reason]))).toEqual({
    1: 'It changed no file that `paths` names.',
    2: 'A bot made it. `bots: true` lets bots trigger this automation.',
    3: 'It changed no file that `paths` names.',
    4: `It links to ${name}#${documented}, which documents it.`,
  });
  expect(await automated.jobs()).toEqual([]);
});

test.concurrent('an automation is run, paused and resumed by hand', async () => {
  const automated = await openAutomated(shop, 'by-hand', { script: addLine, lines: '    every: day\n' });
  const { merge, automation, ask, jobs, caller, name } = automated;
  const number = await merge('Raise the limit');
  const waiting = await eventually(async () => {
    const found = await automation();
    return found.waiting > 0 ? found : undefined;
  });
  expect(Date.parse(waiting.nextRunAt ?? '') - Date.now()).toBeGreaterThan(23 * 3600_000);
  expect((await ask('pause')).status).toBe(200);
  expect(await automation()).toMatchObject({ state: 'paused', nextRunAt: null, waiting: 1 });
  expect((await ask('run', {})).status).toBe(409);
  expect((await ask('resume')).status).toBe(200);
  const [job] = await eventually(async () => {
    const found = await jobs();
    return found.length > 0 ? found : undefined;
  });
  await caller.settled(job?.id ?? '');
  const asked = await ask('run', { pullRequest: `${name}#${number}` });
  expect(asked.status).toBe(200);
  expect(await asked.json()).toMatchObject({ id: job?.id });
  await caller.settled(job?.id ?? '');
  for (const pullRequest of [
    '12',
    'acme/api',
    'acme/api#0',
    'https://github.com/acme/api/pull/1',
    `${name}#99`,
    'other/one#1',
  ])
    expect((await ask('run', { pullRequest })).status, pullRequest).toBe(400);
});
