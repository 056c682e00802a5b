import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { createGates } from '../../../../trials/faults/processes/gates.ts';
import type { Report } from '../../../../trials/faults/processes/point.ts';

function open(claims: 'open' | 'closed' = 'open') {
  const reports: Report[] = [];
  let closed = 0;
  const gates = createGates({
    claims,
    tell(told) {
      if ('claims' in told) closed += 1;
      else reports.push(told);
    },
  });
  return { ...gates, reports, timesClosed: () => closed, points: () => reports.map(({ point }) => point) };
}

test('each step is counted, and reported before and after it', async () => {
  const { takeStep, points } = open();
  for (const step of ['push', 'push']) await takeStep({ step, jobId: 'job_1' }, async () => {});
  await takeStep({ step: 'push', jobId: 'job_2' }, async () => {});
  expect(points()).toEqual([
    'before push 1',
    'after push 1',
    'before push 2',
    'after push 2',
    'before push 1',
    'after push 1',
  ]);
});

test('a run waits at its point until it is released, and others continue', async () => {
  const { takeStep, obey, points, reports } = open();
  obey({ hold: [{ jobId: 'job_1', point: 'before push 1' }] });
  const taken: string[] = [];
  const take = (jobId: string) => takeStep({ step: 'push', jobId }, async () => void taken.push(jobId));
  const held = take('job_1');
  await take('job_2');
  await yieldToEventLoop();
  expect(taken).toEqual(['job_2']);
  expect(reports.filter(({ isHeld }) => isHeld)).toEqual([{ jobId: 'job_1', point: 'before push 1', isHeld: true }]);
  obey({ release: true });
  await held;
  expect(points().at(-1)).toBe('after push 1');
});

test('a failed step is reported only before it', async () => {
  const { takeStep, points } = open();
  const failing = takeStep({ step: 'push', jobId: 'job_1' }, () => Promise.reject(new Error('refused')));
  await expect(failing).rejects.toThrow('refused');
  expect(points()).toEqual(['before push 1']);
});

test('claims wait while they are closed, also when they are closed twice', async () => {
  const { takeStep, obey } = open('closed');
  let claimed = false;
  const claim = takeStep({ step: 'claim' }, async () => {
    claimed = true;
  });
  obey({ claims: 'closed' });
  await yieldToEventLoop();
  expect(claimed).toBe(false);
  obey({ claims: 'open' });
  await claim;
  expect(claimed).toBe(true);
});

test('claims are closed when the last one under way has ended', async () => {
  const { takeStep, obey, timesClosed } = open();
  const { promise: claimed, resolve } = Promise.withResolvers<void>();
  const claim = takeStep({ step: 'claim' }, () => claimed);
  obey({ claims: 'closed' });
  const waiting = takeStep({ step: 'claim' }, async () => {});
  expect(timesClosed()).toBe(0);
  resolve();
  await claim;
  expect(timesClosed()).toBe(1);
  obey({ claims: 'open' });
  await waiting;
  expect(timesClosed()).toBe(1);
});
