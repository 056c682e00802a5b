import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { z } from 'zod';
import { createProject } from '../../harness/create-project.ts';
import { serveApi } from '../../harness/serve-api.ts';
import { startPostgres } from '../../harness/start-postgres.ts';
import { receiveNotifications } from '../../src/store/postgres/notifications.ts';
import { inLease, type Lease } from '../../src/store/schedule/lease.ts';
import { receiveWakeUps } from '../../src/store/schedule/wake-ups.ts';
import { updateJob } from '../../src/store/tables/jobs/jobs.ts';
import { createWorker } from '../../src/worker/worker.ts';
import { openStore } from './open-store.ts';

/** In milliseconds of `performance.now()`. */
export interface EmptyRun {
  claimedAt: number;
  endedAt: number;
}

export interface EmptyRuns extends AsyncDisposable {
  /** Posts a job (of the first project by default) and resolves when it has ended. */
  post(project?: number): Promise<EmptyRun>;
  /** Resolves when the job is accepted; `ended` resolves when it has ended. */
  submit(project: number): Promise<{ ended: Promise<EmptyRun> }>;
}

/** HTTP, PostgreSQL, queue and worker as the service has them, in this process. The runs only wait for `runMs`. */
export async function startEmptyRuns({
  concurrency,
  runMs,
  projects: projectCount = 1,
  workers: workerCount = 1,
}: {
  concurrency: number;
  runMs: number;
  projects?: number;
  workers?: number;
}): Promise<EmptyRuns> {
  await using cleanup = new AsyncDisposableStack();
  const dataDir = await mkdtemp(join(tmpdir(), 'pagewright-bench-'));
  cleanup.defer(() => rm(dataDir, { recursive: true, force: true }));
  const { connection } = cleanup.use(await startPostgres(dataDir));
  const { database, queue, log } = cleanup.use(await openStore(connection));

  const runs = new Map<string, PromiseWithResolvers<EmptyRun>>();
  /** The claim may come before the answer to the POST. */
  const runOf = (jobId: string) => {
    const run = runs.get(jobId) ?? Promise.withResolvers<EmptyRun>();
    runs.set(jobId, run);
    return run;
  };
  const workers = Array.from({ length: workerCount }, (_, index) =>
    createWorker({ database, name: `bench-${index}`, concurrency, execute, log }),
  );
  cleanup.defer(async () => void (await Promise.all(workers.map((worker) => worker.stop()))));
  const notifications = cleanup.use(receiveNotifications({ connection, log }));
  for (const [index, worker] of workers.entries()) receiveWakeUps(notifications, `bench-${index}`, worker.claimDueJobs);

  const api = cleanup.use(
    await serveApi({ store: { database, queue }, config: { openai: { models: ['bench'] } }, log }),
  );
  const projects = await Promise.all(
    Array.from({ length: projectCount }, (_, index) =>
      createProject(database, { repositoryId: index + 1, repo: `docs-${index + 1}`, installationId: 1 }),
    ),
  );

  const disposables = cleanup.move();
  return {
    submit,
    post: async (project = 0) => (await submit(project)).ended,
    [Symbol.asyncDispose]: () => disposables.disposeAsync(),
  };

  async function submit(project: number) {
    const { projectId, key } = projects[project] ?? {};
    const url = `${api.url}/v2/agent/${projectId}/job`;
    const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
    const response = await fetch(url, { method: 'POST', headers, body: JSON.stringify({ prompt: 'Nothing' }) });
    if (response.status !== 201) throw new Error(`could not post a job: ${response.status} ${await response.text()}`);
    const { id } = z.object({ id: z.string() }).parse(await response.json());
    return { ended: runOf(id).promise };
  }

  async function execute(lease: Lease): Promise<void> {
    const claimedAt = performance.now();
    await delay(runMs);
    const ended = { status: 'completed', due_at: null, lease_owner: null, lease_until: null } as const;
    await inLease(database, lease, (tx) => updateJob(tx, lease.jobId, ended));
    runOf(lease.jobId).resolve({ claimedAt, endedAt: performance.now() });
  }
}
