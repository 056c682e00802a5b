import { randomBytes } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { AddedProject } from '../../harness/add-project.ts';
import { openEmbeddedDatabase } from '../../harness/embedded-database.ts';
import { type SpawnedService, spawnService } from '../../harness/processes/spawn-service.ts';
import { openWorld } from '../../harness/world.ts';
import { startsWith } from '../../local/demo/start-service.ts';
import { readOwnTime, readProcessorTime } from '../figures/process-figures.ts';
import { createProjectClient } from './project-client.ts';
import { perRunWriting } from './scripts.ts';

const projectCount = 32;
const pages = 60;
const webCount = 2;
/** More at once would only wait for the web processes. */
const posters = 4;

export type Fleet = Awaited<ReturnType<typeof openFleet>>;

/** Processor time since the fleet was opened, in milliseconds. `standIns`: GitHub, the model and callers, all in this process. */
export interface ProcessorUse {
  postgres: number;
  web: number;
  workers: number;
  standIns: number;
}

/** Two web processes and any number of worker processes, each with a separate disk, on one PostgreSQL. The model answers at once. */
export async function openFleet() {
  await using cleanup = new AsyncDisposableStack();
  const world = cleanup.use(await openWorld({ script: forgetful, openDatabase: openEmbeddedDatabase }));
  function forgetful(request: Parameters<typeof perRunWriting>[0]) {
    // The stand-in's log of requests would grow.
    world.model.requests.length = 0;
    return perRunWriting(request);
  }
  const files = Object.fromEntries(Array.from({ length: pages }, (_, page) => [`docs/${page}.md`, `# Page ${page}\n`]));
  const added: AddedProject[] = [];
  for (let project = 0; project < projectCount; project += 1)
    added.push(await world.addProject(`team-${project}`, files));
  const [first] = added;
  if (!first) throw new Error('a fleet needs projects');
  const common = { JOB_RATE_LIMIT_PER_HOUR: '0', SECRETS_KEY: randomBytes(32).toString('base64'), LOG_LEVEL: 'info' };
  const start = (environment: Record<string, string>, receivesWebhooks: boolean) =>
    spawnService(
      { ...world, ...first },
      {
        command: [process.execPath, ...startsWith.options, 'src/main.ts'],
        environment: { ...common, ...startsWith.environment, ...environment },
        receivesWebhooks,
      },
    );
  const webs: SpawnedService[] = [];
  for (let web = 0; web < webCount; web += 1) webs.push(cleanup.use(await start({ ROLE: 'web' }, web === 0)));
  const clients = webs.map(({ url }) => added.map((project) => createProjectClient({ url, project })));
  const postgres = Number(
    (await readFile(join(world.directory, 'database/postgres/postmaster.pid'), 'utf8')).split('\n')[0],
  );

  const disposables = cleanup.move();
  return {
    database: world.database.database,
    projectCount,
    /** Starts `count` workers. Disposing stops them. */
    async startWorkers(count: number) {
      await using stack = new AsyncDisposableStack();
      const dataDirs = Array.from({ length: count }, (_, worker) =>
        join(world.directory, `workers-${count}`, String(worker)),
      );
      const workers = await Promise.all(
        dataDirs.map(async (dataDir) => {
          const worker = await start({ ROLE: 'worker', DATA_DIR: dataDir }, false);
          stack.use(worker);
          return worker;
        }),
      );
      const all = stack.move();
      return {
        async readUse(): Promise<ProcessorUse> {
          const [used, workersUse, web, everything] = await Promise.all([
            readProcessorTime([postgres]),
            readProcessorTime(workers.map(({ pid }) => pid)),
            readProcessorTime(webs.map(({ pid }) => pid)),
            readProcessorTime([process.pid]),
          ]);
          return { postgres: used, workers: workersUse, web, standIns: everything - used - workersUse - web };
        },
        /** Of the workers themselves, without git: their event loops, and their other threads. */
        async readLoops(): Promise<{ loop: number; threads: number }> {
          const own = await Promise.all(workers.map(({ pid }) => readOwnTime(pid)));
          const loop = own.reduce((sum, each) => sum + each.loop, 0);
          return { loop, threads: own.reduce((sum, each) => sum + each.all, 0) - loop };
        },
        /** `pagewright_step_duration_seconds` of claims: how many took at most so many seconds, over all workers. */
        async readClaims(): Promise<Map<number, number>> {
          const buckets = new Map<number, number>();
          for (const { url } of workers) {
            const text = await (await fetch(`${url}/metrics`)).text();
            for (const [, le, count] of text.matchAll(
              /^pagewright_step_duration_seconds_bucket\{le="([^"]+)",step="claim",result="done"[^}]*\} (\d+)/gm,
            )) {
              const most = le === '+Inf' ? Number.POSITIVE_INFINITY : Number(le);
              buckets.set(most, (buckets.get(most) ?? 0) + Number(count));
            }
          }
          return buckets;
        },
        async countMirrors(): Promise<number> {
          const lists = dataDirs.map((dataDir) => readdir(join(dataDir, 'mirrors')).catch(() => []));
          return (await Promise.all(lists)).flat().filter((name) => name.endsWith('.git')).length;
        },
        [Symbol.asyncDispose]: () => all.disposeAsync(),
      };
    },
    /** Creates jobs, round-robin over projects and web processes, and resolves when all have ended. Returns the milliseconds. */
    async runJobs(count: number): Promise<number> {
      const startedAt = performance.now();
      let next = 0;
      const post = async () => {
        for (let job = next++; job < count; job = next++)
          await clients[job % webCount]?.[job % projectCount]?.createJob('Write a page.');
      };
      await Promise.all(Array.from({ length: posters }, post));
      for (;;) {
        const { active } = await world.database.database
          .selectFrom('jobs')
          .select(({ fn }) => fn.countAll<number>().as('active'))
          .where('status', '=', 'active')
          .executeTakeFirstOrThrow();
        if (Number(active) === 0) return performance.now() - startedAt;
        await new Promise((resolve) => setTimeout(resolve, 50));
      }
    },
    [Symbol.asyncDispose]: () => disposables.disposeAsync(),
  };
}
