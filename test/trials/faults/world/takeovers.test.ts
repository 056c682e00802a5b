import { expect, test } from 'vitest';
import { listCounted, listPauses } from '../../../../trials/faults/world/takeovers.ts';

type Event = Parameters<typeof listPauses>[0][number];

const events = (...steps: [Event['what'], number][]): Event[] =>
  steps.map(([what, ms]) => ({ jobId: 'job_1', what, at: new Date(ms) }));

test('a run that is handed over pauses from one lease to the next, and nothing counts against it', () => {
  const handedOver = events(['claimed', 0], ['released', 400], ['claimed', 450], ['released', 900]);
  expect(listPauses(handedOver)).toEqual([50]);
  expect(listCounted(handedOver)).toEqual([]);
});

test('an expired lease counts, and so does a counted crash', () => {
  const lost = events(['claimed', 0], ['taken over', 12_400], ['counted', 12_410], ['released', 13_000]);
  expect(listPauses(lost)).toEqual([]);
  expect(listCounted(lost)).toHaveLength(2);
});
