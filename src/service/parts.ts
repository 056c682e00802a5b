import type { Config } from '../config/config.ts';
import { type AccessPool, createAccessPool } from '../github/auth/access-pool.ts';
import { createGitHubApp, type GitHubApp } from '../github/auth/app.ts';
import type { Log } from '../log.ts';
import { createMetrics, type Metrics } from '../metrics/create-metrics.ts';
import { createSharedLimits } from '../projects/shared-limits.ts';
import type { TakeStep } from '../steps.ts';
import { startEmbeddedPostgres } from '../store/embedded/embedded-postgres.ts';
import { migrate } from '../store/migrate.ts';
import { withDeadline } from '../store/postgres/availability.ts';
import { type Connection, createPooledDatabase, type PoolUse } from '../store/postgres/database.ts';
import { createQueue } from '../store/schedule/queue.ts';
import type { Store } from '../store/store.ts';
import { readBacklog, readTotals } from '../store/tables/figures.ts';
import type { Redactor } from '../text/redact.ts';

/** What doors and workers are built from. */
export interface Parts {
  config: Config;
  log: Log;
  redactor: Redactor;
  connection: Connection;
  store: Store;
  github: GitHubApp;
  accesses: AccessPool;
  takeStep: TakeStep;
  metrics: Metrics;
  /** The connections of this process to the database. */
  readPoolUse: () => PoolUse;
}

/** Opens the database and the queue, and builds what needs no more than them; each ends with `cleanup`, the database last. */
export async function openParts(
  { config, log, redactor, takeStep }: Pick<Parts, 'config' | 'log' | 'redactor' | 'takeStep'>,
  cleanup: AsyncDisposableStack,
  signal: AbortSignal,
): Promise<Parts> {
  const { databaseUrl, dataDir } = config;
  const connection = databaseUrl
    ? { connectionString: databaseUrl }
    : cleanup.use(await startEmbeddedPostgres({ dataDir, log, signal })).connection;
  const { database, readPoolUse } = createPooledDatabase({ connection, log });
  cleanup.defer(() => database.destroy());
  await migrate(database, { log, signal });
  signal.throwIfAborted();
  const metrics = createMetrics({
    role: config.role,
    dataDir,
    readBacklog: () => withDeadline(database, {}, readBacklog),
    readTotals: () => withDeadline(database, { withinMs: 5_000 }, readTotals),
  });
  const { appId, privateKey, apiUrl, webUrl } = config.github;
  const limits = createSharedLimits({ database });
  const github = createGitHubApp({
    appId,
    privateKey,
    apiUrl,
    webUrl,
    ...limits,
    onLimited(installationId, limit) {
      metrics.onGitHubLimit(limit.kind);
      return limits.onLimited(installationId, limit);
    },
    onAnswered: metrics.onGitHubAnswered,
  });
  const accesses = cleanup.use(createAccessPool({ github, secrets: redactor }));
  const queue = createQueue({ connection, log, retentionDays: config.retention.queueDays });
  await queue.start();
  cleanup.defer(() => queue.stop());

  return {
    config,
    log,
    redactor,
    connection,
    store: { database, queue },
    github,
    accesses,
    takeStep: metrics.measure(takeStep),
    metrics,
    readPoolUse,
  };
}
