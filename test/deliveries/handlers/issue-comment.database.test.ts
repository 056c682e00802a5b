import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createDeliveryContext, type DeliveryParts } from '../../../src/deliveries/delivery-context.ts';
import { issueComment } from '../../../src/deliveries/handlers/issue-comment.ts';
import { giveUpDelivery, processDelivery } from '../../../src/deliveries/process-delivery.ts';
import { updateJob } from '../../../src/store/tables/jobs/jobs.ts';
import { listMessages } from '../../../src/store/tables/jobs/messages.ts';
import { findDelivery, insertDelivery } from '../../../src/store/tables/repositories/deliveries.ts';
import { blockInstallation } from '../../../src/store/tables/repositories/installations.ts';
import { findProject } from '../../../src/store/tables/repositories/projects.ts';
import { makeJob } from '../../support/databases/jobs.ts';
import { aboutAt } from '../../support/values/about-at.ts';
import { createWorld, type World } from '../../support/worlds/world.ts';
import { createParts } from '../create-parts.ts';

let world: World;
let parts: DeliveryParts;
beforeAll(async () => {
  world = await createWorld({ script: () => ({}) });
  parts = createParts(world);
  const { job_id: jobId } = await makeJob(parts, world.projectId, 'completed');
  await updateJob(parts.database, jobId, { branch: 'pagewright/x' });
});
afterAll(() => world[Symbol.asyncDispose]());

test('a person without write access costs one request to GitHub, on any number of pull requests', async () => {
  const stranger = world.github.addUser('stranger');
  const asked = world.github.requests.length;
  for (const number of [5, 6, 7]) {
    const fields = issueComment.parse({
      action: 'created',
      repository: { id: world.repository.id, name: 'docs', owner: { login: 'acme' }, default_branch: 'main' },
      issue: { number, pull_request: {} },
      comment: { id: number, body: 'Hello?', user: stranger, created_at: '2026-11-20T20:06:00Z' },
    });
    const { signal } = new AbortController();
    const delivery = { deliveryId: 'delivery-1', fields, receivedAt: new Date(), signal };
    const outcome = await issueComment.handle(createDeliveryContext(parts, delivery));
    expect(outcome).toBe('written by somebody without write access');
  }
  const about = world.github.requests.slice(asked).filter(({ path }) => path.startsWith('/repos/'));
  expect(about.map(({ path }) => path)).toEqual(['/repos/acme/docs/collaborators/stranger/permission']);
});

const { signal } = new AbortController();

/** A conversation that Sam, whom GitHub is to be asked about, has written in before Rita, who is known, while nothing may be asked. */
async function holdUpSam(number: number) {
  const { database } = parts;
  const { job_id: jobId } = await makeJob(parts, world.projectId, 'completed');
  await updateJob(database, jobId, { pull_request_number: number });
  const rita = world.github.addUser('rita');
  const sam = world.github.addUser(`sam${number}`);
  world.github.setPermission('acme/docs', sam.login, 'write');
  const project = await findProject(database, world.projectId);
  if (!project) throw new Error('there is a project');
  await parts.mayPrompt({ project, person: { login: rita.login, userId: rita.id }, signal });
  const unblock = () => database.updateTable('installations').set({ blocked_until: null }).execute();
  await blockInstallation(database, world.installationId, new Date(Date.now() + 2_400_000));
  let written = number * 100;

  /** Stored as long ago as that. */
  async function say(user: typeof rita, body: string, agoMs = 60_000): Promise<string> {
    written += 1;
    const deliveryId = `said-${written}`;
    const fields = issueComment.parse({
      action: 'created',
      repository: { id: world.repository.id, name: 'docs', owner: { login: 'acme' }, default_branch: 'main' },
      issue: { number, pull_request: {} },
      comment: { id: written, body, user, created_at: '2026-11-20T20:06:00Z' },
    });
    await insertDelivery(database, {
      delivery_id: deliveryId,
      event: 'issue_comment',
      action: 'created',
      repository_id: world.repository.id,
      fields: JSON.stringify(fields),
      received_at: sql<Date>`now() - ${agoMs} * interval '1 millisecond'`,
    });
    return deliveryId;
  }
  return {
    sam,
    rita,
    say,
    unblock,
    process: (deliveryId: string, until = signal) => processDelivery(parts, deliveryId, until),
    prompts: async () => (await listMessages(database, jobId)).map(({ prompt }) => prompt),
  };
}

test('promise 15: the older comment comes first, however long GitHub could not be asked about its author', async () => {
  const { sam, rita, say, unblock, process, prompts } = await holdUpSam(11);
  const first = await say(sam, 'Do X.');
  expect(await process(first)).toBeInstanceOf(Date);
  const second = await say(rita, 'No, do Y.');
  const again = await process(second);
  expect((again?.getTime() ?? 0) - Date.now()).toBeGreaterThan(1_000);
  expect((again?.getTime() ?? 0) - Date.now()).toBeLessThan(60_000);
  await unblock();
  expect(await process(second)).toBeInstanceOf(Date);
  expect(await process(first)).toBeUndefined();
  expect(await process(second)).toBeUndefined();
  expect(await prompts()).toEqual(['Do X.', 'No, do Y.']);
});

test.each([
  { ageMs: 60_000, waitMs: 2_000 },
  { ageMs: 300_000, waitMs: 5_000 },
  { ageMs: 3600_000, waitMs: 10_000 },
])('a comment looks for older ones more and more seldom: $ageMs ms old, in $waitMs ms', async ({ ageMs, waitMs }) => {
  const { sam, rita, say, unblock, process } = await holdUpSam(100 + waitMs / 1_000);
  await say(sam, 'Do X.', ageMs);
  const second = await say(rita, 'No, do Y.', ageMs);
  expect(await process(second)).toEqual(aboutAt(new Date(Date.now() + waitMs)));
  await unblock();
});

test('promise 2: a comment that runs out of time while it waits for an older one is retried', async () => {
  const { sam, rita, say, unblock, process, prompts } = await holdUpSam(13);
  await say(sam, 'Do X.', 0);
  const second = await say(rita, 'No, do Y.', 0);
  expect(await process(second, AbortSignal.timeout(500))).toEqual(aboutAt(new Date(Date.now() + 2_000)));
  expect(await prompts()).toEqual([]);
  await unblock();
});

test('a stop does not wait, and nothing waits for comments that were given up or are older than three days', async () => {
  const { sam, rita, say, unblock, process, prompts } = await holdUpSam(12);
  await say(sam, 'Do W.', 73 * 3600_000);
  const first = await say(sam, 'Do X.');
  const stop = await say(rita, '@pagewright-test stop');
  expect(await process(stop)).toBeUndefined();
  expect(await findDelivery(parts.database, stop)).toMatchObject({ state: 'done' });
  const second = await say(rita, 'Do Y.');
  expect(await process(second)).toBeInstanceOf(Date);
  await giveUpDelivery(parts, first);
  await unblock();
  expect(await process(second)).toBeUndefined();
  expect(await prompts()).toEqual(['Do Y.']);
});
