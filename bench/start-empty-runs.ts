import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { z } from 'zod';
import type { ApiConfig } from '../src/api/api-config.ts';
import { createApi } from '../src/api/server.ts';
import { createKey } from '../src/keys/create-key.ts';
import { createLog } from '../src/log.ts';
import { createDatabase } from '../src/store/database.ts';
import { startEmbeddedPostgres } from '../src/store/embedded-postgres.ts';
import { updateJob } from '../src/store/jobs.ts';
import { inLease, type Lease } from '../src/store/lease.ts';
import { migrate } from '../src/store/migrate.ts';
import { createQueue } from '../src/store/queue.ts';
import { createWorker } from '../src/worker/worker.ts';

/** When a job was claimed and when it ended, in milliseconds of `performance.now()`. */
export interface EmptyRun {
  claimedAt: number;
  endedAt: number;
}

export interface EmptyRuns extends AsyncDisposable {
  /** Posts a job and resolves when it has ended. */
  post(): Promise<EmptyRun>;
}

/** HTTP, PostgreSQL, queue and worker as the service has them, in this process; only the runs do nothing, for `runMs`. */
export async function startEmptyRuns({
  concurrency,
  runMs,
}: {
  concurrency: number;
  runMs: number;
}): Promise<EmptyRuns> {
  await using cleanup = new AsyncDisposableStack();
  const log = createLog({ level: 'silent', redact: (line) => line });
  const dataDir = await mkdtemp(join(tmpdir(), 'pagewright-bench-'));
  cleanup.defer(() => rm(dataDir, { recursive: true, force: true }));
  const { connection } = cleanup.use(await startEmbeddedPostgres({ dataDir }));
  const database = createDatabase({ connection, log });
  cleanup.defer(() => database.destroy());
  await migrate(database);
  const queue = createQueue({ connection, log });
  await queue.start();
  cleanup.defer(() => queue.stop());

  const runs = new Map<string, PromiseWithResolvers<EmptyRun>>();
  /** The claim may come before the answer to the POST. */
  const runOf = (jobId: string) => {
    const run = runs.get(jobId) ?? Promise.withResolvers<EmptyRun>();
    runs.set(jobId, run);
    return run;
  };
  const worker = createWorker({ database, name: 'bench', concurrency, execute, log });
  cleanup.defer(() => worker.stop());
  await queue.workWakeUps(worker.look);

  const config: ApiConfig = {
    role: 'all',
    github: { webUrl: 'https://github.com' },
    openai: { models: ['bench'] },
    jobRateLimitPerHour: 0,
  };
  const server = createServer(createApi({ store: { database, queue }, config, log }));
  await once(server.listen(0, '127.0.0.1'), 'listening');
  cleanup.defer(() => {
    server.close();
    server.closeAllConnections();
  });
  const address = server.address();
  const port = typeof address === 'object' ? address?.port : undefined;
  const { projectId, key } = await createProject();
  const url = `http://127.0.0.1:${port}/v2/agent/${projectId}/job`;

  const held = cleanup.move();
  return {
    async post() {
      const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
      const response = await fetch(url, { method: 'POST', headers, body: JSON.stringify({ prompt: 'Nothing' }) });
      const { id } = z.object({ id: z.string() }).parse(await response.json());
      return runOf(id).promise;
    },
    [Symbol.asyncDispose]: () => held.disposeAsync(),
  };

  async function execute(lease: Lease): Promise<void> {
    const claimedAt = performance.now();
    await delay(runMs);
    const ended = { status: 'completed', due_at: null, lease_owner: null, lease_until: null } as const;
    await inLease(database, lease, (tx) => updateJob(tx, lease.jobId, ended));
    runOf(lease.jobId).resolve({ claimedAt, endedAt: performance.now() });
  }

  async function createProject() {
    const created = await createKey({
      database,
      owner: 'acme',
      repo: 'docs',
      name: 'bench',
      expiresAt: null,
      findInstalledRepository: async ({ owner, repo }) => ({
        installation: { installationId: 1, account: owner, suspendedAt: null },
        repository: { repositoryId: 1, installationId: 1, owner, repo, defaultBranch: 'main' },
      }),
    });
    if (!created) throw new Error('could not create a key');
    return created;
  }
}
