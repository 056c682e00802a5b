import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { appendMessage } from '../../../src/store/tables/jobs/messages.ts';
import {
  insertDelivery,
  isOlderInstructionStored,
  markDelivery,
} from '../../../src/store/tables/repositories/deliveries.ts';
import { makeJob } from '../../support/databases/jobs.ts';
import { createWorld, type World } from '../../support/worlds/world.ts';

let world: World;
beforeAll(async () => {
  world = await createWorld({ script: () => ({}) });
});
afterAll(() => world[Symbol.asyncDispose]());

/** In seconds: when it was written, by GitHub's clock, and when it arrived. */
interface Row {
  kind: 'comment' | 'review' | 'remark';
  id: number;
  at: number;
  arrived?: number;
}

const comment = (id: number, at: number, arrived = at): Row => ({ kind: 'comment', id, at, arrived });
const review = (id: number, at: number, arrived = at): Row => ({ kind: 'review', id, at, arrived });
/** Of the review with this id. */
const remark = (id: number, at: number, arrived = at): Row => ({ kind: 'remark', id, at, arrived });

let number = 0;
async function store({ kind, id, at, arrived = at }: Row): Promise<string> {
  const { database } = world.database;
  const moment = new Date(Date.UTC(2026, 10, 20, 20, 0, at)).toISOString();
  const remarkId = 7_000 + id;
  const fields = {
    comment: { issue: { number, pull_request: {} }, comment: { id, created_at: moment } },
    review: { pull_request: { number }, review: { id, submitted_at: moment } },
    remark: { pull_request: { number }, comment: { id: remarkId, created_at: moment, pull_request_review_id: id } },
  };
  const event = { comment: 'issue_comment', review: 'pull_request_review', remark: 'pull_request_review_comment' };
  const deliveryId = `${number}-${kind}-${id}`;
  await insertDelivery(database, {
    delivery_id: deliveryId,
    event: event[kind],
    action: 'created',
    repository_id: world.repository.id,
    review_id: kind === 'remark' ? id : null,
    fields: JSON.stringify(fields[kind]),
    received_at: sql<Date>`now() - interval '10 minutes' + ${arrived} * interval '1 second'`,
  });
  return deliveryId;
}

async function isHeld(stored: Row, other: Row): Promise<boolean> {
  number += 1;
  await store(stored);
  return isOlderInstructionStored(world.database.database, await store(other));
}

test.each<[string, Row, Row]>([
  ['a comment, for an older comment', comment(1, 5), comment(2, 5, 4)],
  ['a comment, for a review before it', review(90, 5), comment(2, 6)],
  ['a comment, for a review of its second that arrived before it', review(90, 5, 5), comment(2, 5, 6)],
  ['a comment, for a remark whose review was not delivered', remark(90, 5), comment(2, 6)],
  ['a review, for a comment before it', comment(1, 5), review(90, 6)],
  ['a review, for a review before it', review(80, 5), review(90, 6)],
])('promise 15: waits: %s', async (_name, older, newer) => {
  expect(await isHeld(older, newer)).toBe(true);
  expect(await isHeld(newer, older)).toBe(false);
});

test.each<[string, Row, Row]>([
  ['a comment, for a review after it', review(90, 6), comment(2, 5)],
  ['a review, for a comment of its second', comment(1, 5, 4), review(90, 5, 5)],
  ['a review, for its own remarks', remark(90, 5), review(90, 6)],
])('does not wait: %s', async (_name, stored, other) => {
  expect(await isHeld(stored, other)).toBe(false);
});

test('nothing waits for what is processed, or for a review that is a message already', async () => {
  const { database } = world.database;
  number += 1;
  const { job_id: jobId } = await makeJob(world.database.store, world.projectId, 'completed');
  await appendMessage(database, { jobId, source: 'review', sourceKey: 'review:1234', author: 'rita', prompt: 'Do X.' });
  await store(remark(1234, 4));
  const first = await store(comment(3, 5));
  const second = await store(comment(4, 6));
  expect(await isOlderInstructionStored(database, first)).toBe(false);
  expect(await isOlderInstructionStored(database, second)).toBe(true);
  await markDelivery(database, first, { state: 'done' });
  expect(await isOlderInstructionStored(database, second)).toBe(false);
});

test('promise 15: however comments and reviews arrive, one of them is always free to go', async () => {
  const rows = [
    comment(1, 5, 9),
    comment(2, 5, 3),
    review(90, 5, 4),
    review(80, 5, 8),
    remark(70, 4, 9),
    comment(3, 6, 1),
  ];
  number += 1;
  const waiting = await Promise.all(rows.map(store));
  const order: string[] = [];
  while (waiting.length > 0) {
    const held = await Promise.all(waiting.map((id) => isOlderInstructionStored(world.database.database, id)));
    const [next] = waiting.splice(held.indexOf(false), 1);
    if (!held.includes(false) || next === undefined) break;
    await markDelivery(world.database.database, next, { state: 'done' });
    order.push(next.replace(/^\d+-/, ''));
  }
  expect(order).toEqual(['remark-70', 'review-80', 'review-90', 'comment-1', 'comment-2', 'comment-3']);
});
