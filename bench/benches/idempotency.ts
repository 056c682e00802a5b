import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startPostgres } from '../../harness/start-postgres.ts';
import { describeRatio, type Figure, formatMs, median } from '../figures/figure.ts';
import { time } from '../figures/time.ts';
import { openApi } from '../world/open-api.ts';

const rounds = 9;
const perRound = 60;

/** Creates jobs with an Idempotency-Key and without, by turns, and repeats some. Takes about 20 s. */
export async function benchIdempotency(): Promise<Figure[]> {
  await using cleanup = new AsyncDisposableStack();
  const dataDir = await mkdtemp(join(tmpdir(), 'pagewright-bench-'));
  cleanup.defer(() => rm(dataDir, { recursive: true, force: true }));
  const { connection } = cleanup.use(await startPostgres(dataDir));
  const api = cleanup.use(await openApi({ connection }));
  const pairs: { ours: number; theirs: number }[] = [];
  const replays: number[] = [];
  // The first round compiles and connects.
  for (let round = -1; round < rounds; round += 1) {
    const ours: number[] = [];
    const theirs: number[] = [];
    for (let request = 0; request < perRound; request += 1) {
      const idempotencyKey = randomUUID();
      ours.push(await time(() => api.create({ idempotencyKey })));
      theirs.push(await time(() => api.create()));
      if (round >= 0) replays.push(await time(() => api.create({ idempotencyKey })));
    }
    if (round >= 0) pairs.push({ ours: median(ours), theirs: median(theirs) });
  }
  return [
    { what: 'create with a key', measured: formatMs(median(pairs.map(({ ours }) => ours))) },
    { what: 'create without a key', measured: formatMs(median(pairs.map(({ theirs }) => theirs))) },
    describeRatio('with / without', pairs, { atMost: 1.2 }),
    { what: 'a repetition', measured: formatMs(median(replays)) },
  ];
}
