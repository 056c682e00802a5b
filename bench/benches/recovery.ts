import { setTimeout as delay } from 'node:timers/promises';
import { eventually } from '../../harness/eventually.ts';
import type { Script, ScriptRequest } from '../../local/model/script.ts';
import { type Figure, percentile } from '../figures/figure.ts';
import { type BenchWorld, openWorld } from '../world/open-world.ts';

const rounds = 4;
const killsPerRound = 5;
const runsPerWorker = 2;
const goalMs = { p50: 15_000, p100: 30_000 };

/** Time from SIGKILL to the run's next model request by another worker: 20 kills, the slowest run of each. Takes about two minutes. */
export async function benchRecovery(): Promise<Figure[]> {
  const runs = trackRuns();
  await using world = await openWorld({
    script: runs.script,
    files: { 'index.md': '# Acme\n' },
    environment: { ROLE: 'web' },
  });
  const figures: number[] = [];
  for (let round = 0; round < rounds; round += 1) figures.push(...(await killSome(world, runs, round)));
  const seconds = (share: number) => percentile(figures, share) / 1_000;
  const p50 = { text: `p50 ≤ ${goalMs.p50 / 1_000} s`, isMet: percentile(figures, 0.5) <= goalMs.p50 };
  const p100 = { text: `p100 ≤ ${goalMs.p100 / 1_000} s`, isMet: percentile(figures, 1) <= goalMs.p100 };
  const n = `(n = ${figures.length})`;
  return [
    { what: 'SIGKILL to going on elsewhere', measured: `p50 ${seconds(0.5).toFixed(1)} s ${n}`, goal: p50 },
    { what: 'the slowest of them', measured: `${seconds(1).toFixed(1)} s`, goal: p100 },
    { what: 'the fastest of them', measured: `${seconds(0).toFixed(1)} s` },
  ];
}

async function killSome(world: BenchWorld, runs: ReturnType<typeof trackRuns>, round: number): Promise<number[]> {
  const worker = { ROLE: 'worker', WORKER_CONCURRENCY: String(runsPerWorker) };
  const victims = await Promise.all(Array.from({ length: killsPerRound }, () => world.startAnother(worker)));
  const names = Array.from({ length: killsPerRound * runsPerWorker }, (_, index) => `run ${round}-${index}.`);
  const jobs = new Map(await Promise.all(names.map(async (name) => [await world.createJob(name), name] as const)));
  await eventually(() => names.every((name) => runs.askedAt(name).length === 1) || undefined);
  await using _other = await world.startAnother({ ROLE: 'worker', WORKER_CONCURRENCY: String(names.length) });
  const owners = await world.database.selectFrom('jobs').select(['job_id', 'lease_owner']).execute();

  const kills: { killedAt: number; held: string[] }[] = [];
  for (const victim of victims) {
    // A random moment, so that the kill is not in step with the renewals.
    await delay(Math.random() * 1_000);
    const own = owners.filter(({ lease_owner: owner }) => owner?.includes(`-${victim.pid}-`));
    const held = own.flatMap(({ job_id: jobId }) => jobs.get(jobId) ?? []);
    process.kill(victim.pid, 'SIGKILL');
    kills.push({ killedAt: performance.now(), held });
  }
  await eventually(() => names.every((name) => runs.askedAt(name).length === 2) || undefined);
  runs.release();
  await Promise.all([...jobs.keys()].map((jobId) => world.untilSettled(jobId)));
  return kills.map(({ killedAt, held }) => {
    if (held.length === 0) throw new Error('a worker was killed that had no run');
    return Math.max(...held.map((name) => (runs.askedAt(name)[1] ?? Number.NaN) - killedAt));
  });
}

/** A model that answers a run's first request at once and its second when released; it notes when the second request came. */
function trackRuns() {
  const asked = new Map<string, number[]>();
  let released = Promise.withResolvers<void>();
  const askedAt = (name: string) => asked.get(name) ?? [];
  const script: Script = async (request) => {
    if (request.turn === 0) return { calls: [{ name: 'list_files', arguments: {} }] };
    const name = nameOf(request);
    asked.set(name, [...askedAt(name), performance.now()]);
    await released.promise;
    return { calls: [{ name: 'finish', arguments: { summary: 'Nothing needs to change.' } }] };
  };
  return {
    script,
    askedAt,
    /** Releases the requests that wait now; later ones wait again. */
    release() {
      released.resolve();
      released = Promise.withResolvers();
    },
  };
}

const nameOf = ({ messages }: ScriptRequest) =>
  /run \d+-\d+\./.exec(messages.map(({ text }) => text).join('\n'))?.[0] ?? '';
