import { setImmediate as nextTurn } from 'node:timers/promises';
import fc from 'fast-check';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { type ArrivingBody, bodyLimits, createBodyBudget } from '../../../src/http/bodies/body-budget.ts';

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval'] }));
afterEach(() => void vi.useRealTimers());

/** The real proportions, a thousand times smaller. */
const limits = {
  ...bodyLimits,
  small: 256,
  allSmall: 5_000,
  large: 25_000,
  largeStart: 64,
  largePerWindow: 256,
  least: 4,
};
const timing = { largeBodyWaitMs: 5_000, largeBodyWindowMs: 250 };

function createBudget() {
  let time = 0;
  const budget = createBodyBudget({ limits, timing, now: () => time });
  const refused: string[] = [];
  return {
    ...budget,
    refused,
    pass(ms: number) {
      time += ms;
      vi.advanceTimersByTime(ms);
    },
    open(name: string, size: number) {
      return budget.open({ size, refuse: ({ message }) => void refused.push(`${name}: ${message}`) });
    },
  };
}

type Move =
  | { kind: 'open'; size: number }
  | { kind: 'send' | 'close'; which: number; bytes: number }
  | { kind: 'pass'; ms: number };

const size = fc.oneof(fc.nat(limits.small), fc.integer({ min: limits.small + 1, max: limits.large }));
const which = fc.nat(1_000);
const move: fc.Arbitrary<Move> = fc.oneof(
  fc.record({ kind: fc.constant('open' as const), size }),
  fc.record({ kind: fc.constant('send' as const), which, bytes: fc.nat(2_000) }),
  fc.record({ kind: fc.constant('send' as const), which, bytes: fc.nat(2_000) }),
  fc.record({ kind: fc.constant('close' as const), which, bytes: fc.constant(0) }),
  fc.record({ kind: fc.constant('pass' as const), ms: fc.nat(2_000) }),
);

test('promise 7: whatever arrives, in any order, the memory stays within the limit and comes back', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(move, { maxLength: 200 }), async (moves) => {
      const budget = createBudget();
      const open: { body: ArrivingBody; size: number; sent: number; isWaiting: boolean }[] = [];
      for (const next of moves) {
        await nextTurn();
        if (next.kind === 'open')
          open.push({ body: budget.open('any', next.size), size: next.size, sent: 0, isWaiting: false });
        else if (next.kind === 'pass') budget.pass(next.ms);
        else {
          const at = open[next.which % Math.max(open.length, 1)];
          if (!at) continue;
          if (next.kind === 'close') {
            at.body[Symbol.dispose]();
            open.splice(open.indexOf(at), 1);
          } else if (!at.isWaiting) {
            const part = Buffer.alloc(Math.min(next.bytes, at.size - at.sent));
            at.sent += part.length;
            const room = at.body.add(part);
            at.isWaiting = room !== undefined;
            void room?.then(() => {
              at.isWaiting = false;
            });
          }
        }
        expect(budget.countBytes()).toBeLessThanOrEqual(limits.allSmall + limits.large);
      }
      for (const { body } of open) body[Symbol.dispose]();
      expect(budget.countBytes()).toBe(0);
      expect(vi.getTimerCount()).toBe(0);
    }),
    { numRuns: 200 },
  );
});

test('promise 7: all parts of a body arrive in one buffer, whatever the parts', async () => {
  const cut = fc.array(fc.nat(400), { maxLength: 40 });
  await fc.assert(
    fc.asyncProperty(fc.uint8Array({ maxLength: 4_000 }), cut, async (bytes, lengths) => {
      const budget = createBudget();
      using body = budget.open('one', bytes.length);
      let sent = 0;
      for (const length of [...lengths, bytes.length]) {
        const part = Buffer.from(bytes.subarray(sent, sent + length));
        sent += part.length;
        await body.add(part);
      }
      expect(body.bytes.equals(bytes)).toBe(true);
    }),
  );
});

test('promise 7: a small body is always admitted: it takes the place of the slowest', () => {
  const budget = createBudget();
  const bodies = Array.from({ length: 20 }, (_, index) => {
    const body = budget.open(`body ${index}`, 250);
    void body.add(Buffer.alloc(index === 7 ? 1 : 100));
    return body;
  });
  budget.pass(1_000);
  const latest = budget.open('latest', 250);
  expect(budget.refused).toEqual([expect.stringMatching(/^body 7: Too many requests arrived at once/)]);
  expect([bodies[7]?.bytes.length, bodies[8]?.bytes.length, latest.bytes.length]).toEqual([0, 100, 0]);
});

test('promise 7: the memory of a small body is free as soon as it is disposed', () => {
  const body = createBudget().open('one', 250);
  const { buffer } = body.bytes;
  expect(buffer.byteLength).toBe(250);
  body[Symbol.dispose]();
  expect(buffer.byteLength).toBe(0);
});

const begin = (budget: ReturnType<typeof createBudget>, name: string, start = limits.largeStart + 1) => {
  const body = budget.open(name, 20_000);
  return { body, admitted: body.add(Buffer.alloc(start)) };
};

test('promise 7: a large body has the memory of a small one until its start has arrived and the slot is free', async () => {
  const budget = createBudget();
  const silent = begin(budget, 'silent', 0);
  const first = begin(budget, 'first');
  await first.admitted;
  const second = begin(budget, 'second');
  expect([silent.body, first.body, second.body].map(({ bytes }) => bytes.length)).toEqual([0, 65, 64]);
  expect(budget.countBytes()).toBe(20_000 + 2 * limits.largeStart);
  first.body[Symbol.dispose]();
  await second.admitted;
  expect(second.body.bytes.length).toBe(65);
  expect(budget.refused).toEqual([]);
});

test('promise 7: a large body that stops while another waits gives up the slot', async () => {
  const budget = createBudget();
  const holder = begin(budget, 'holder');
  await holder.admitted;
  budget.pass(10_000);
  const next = begin(budget, 'next');
  void holder.body.add(Buffer.alloc(limits.largePerWindow));
  budget.pass(timing.largeBodyWindowMs);
  expect(budget.refused).toEqual([]);
  void holder.body.add(Buffer.alloc(limits.largePerWindow - 1));
  budget.pass(timing.largeBodyWindowMs);
  expect(budget.refused).toEqual([expect.stringMatching(/^holder: This large body arrived too slowly/)]);
  await next.admitted;
});

test('promise 7: of the large bodies that wait, the fastest is admitted, and of equals the latest', async () => {
  const budget = createBudget();
  const holder = begin(budget, 'holder');
  const slow = budget.open('slow', 20_000);
  budget.pass(1_000);
  const waiting = [slow.add(Buffer.alloc(65)), begin(budget, 'earlier').admitted, begin(budget, 'latest').admitted];
  const order: string[] = [];
  for (const [index, name] of ['slow', 'earlier', 'latest'].entries())
    void waiting[index]?.then(() => order.push(name));
  holder.body[Symbol.dispose]();
  for (const promise of [waiting[2], waiting[1], waiting[0]]) {
    await promise;
    budget.pass(timing.largeBodyWindowMs);
  }
  expect(order).toEqual(['latest', 'earlier', 'slow']);
});

test('promise 7: a large body waits for a limited time, and of too many the slowest is refused', async () => {
  const budget = createBudget();
  const holder = begin(budget, 'holder');
  const slow = budget.open('slow', 20_000);
  budget.pass(200);
  void slow.add(Buffer.alloc(65));
  for (let index = 1; index <= limits.largeWaiting; index += 1) begin(budget, `waiting ${index}`);
  expect(budget.refused).toEqual([expect.stringMatching(/^slow: Too many large bodies/)]);
  for (let sent = 0; sent < timing.largeBodyWaitMs; sent += timing.largeBodyWindowMs) {
    void holder.body.add(Buffer.alloc(limits.largePerWindow));
    budget.pass(timing.largeBodyWindowMs);
  }
  expect(budget.refused.slice(1)).toEqual(
    Array.from({ length: limits.largeWaiting }, () => expect.stringMatching(/: Other large bodies arrived first/)),
  );
});
