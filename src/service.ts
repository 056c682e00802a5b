import { createAutomations } from './automations/create-automations.ts';
import type { Config } from './config/config.ts';
import { createChangeReader } from './context/changes/create-change-reader.ts';
import { createContextStates } from './context/create-context-states.ts';
import { createReadDiff } from './diffs/read-diff.ts';
import { createReadFileAt } from './diffs/read-files.ts';
import { createGit, readGitVersion } from './git/git.ts';
import { createSpawner } from './git/processes/create-spawner.ts';
import type { RunProcess } from './git/processes/run-process.ts';
import { createAccessPool } from './github/auth/access-pool.ts';
import { createAllChecks, createChecks } from './health/create-checks.ts';
import { type Examined, examine } from './health/examine.ts';
import { degradedParts, startHealth } from './health/health.ts';
import { createDescribeEvent } from './http/api/webhooks/describe-webhooks.ts';
import type { Listener } from './http/open-listener.ts';
import { startHttpServer } from './http/server.ts';
import type { Log } from './log.ts';
import { createMetrics } from './metrics/create-metrics.ts';
import { createOutbound } from './outbound/outbound.ts';
import { createOpenProject } from './projects/open-project.ts';
import { createRoles } from './projects/roles.ts';
import { startBackgroundWork } from './service/background-work.ts';
import { createAuthorization, createLimitedGitHubApp } from './service/create-github.ts';
import { createRepositories } from './service/create-repositories.ts';
import { type TakeStep, takeStepDirectly } from './steps.ts';
import { findUnusedCluster } from './store/embedded/cluster.ts';
import { openDatabase } from './store/open-database.ts';
import { withDeadline } from './store/postgres/availability.ts';
import { hasDatabaseRoom, inspectDatabase } from './store/postgres/inspect-database.ts';
import { receiveNotifications } from './store/postgres/notifications.ts';
import { createQueue } from './store/schedule/queue.ts';
import { readBacklog, readTotals } from './store/tables/figures.ts';
import type { Redactor } from './text/redact.ts';
import { createThreads, runFor, type Threads } from './threads/threads.ts';
import { realTiming, type Timing } from './timing.ts';
import type { Worker } from './worker/worker.ts';

interface Service extends AsyncDisposable {
  url: string;
  /** Checks everything that the service needs, as `pagewright doctor` does. Never throws. */
  examine(signal: AbortSignal): Promise<Examined[]>;
}

/** Disposal stops everything in reverse order. An abort stops what has started and throws the signal's reason. */
export async function startService(options: {
  config: Config;
  log: Log;
  redactor: Redactor;
  signal?: AbortSignal;
  timing?: Timing;
  /** For tests: runs every step. */
  takeStep?: TakeStep;
  /** For tests: what several services of a process may share. It outlives them. */
  shared?: { threads: Threads; runProcess: RunProcess };
  /** The service answers on it when it is ready, and closes it. Without it, the service listens at HOST and PORT. */
  listener?: Listener | undefined;
}): Promise<Service> {
  const { config, log, redactor, shared, listener } = options;
  const { signal = new AbortController().signal, timing = realTiming, takeStep = takeStepDirectly } = options;
  await using cleanup = new AsyncDisposableStack();

  const { databaseUrl, dataDir, role } = config;
  const opened = await openDatabase({ databaseUrl, dataDir, log, signal }, cleanup);
  const { connection, database, queueSchema, readPoolUse } = opened;
  const metrics = createMetrics({
    role,
    dataDir,
    readBacklog: () => withDeadline(database, {}, readBacklog),
    readTotals: () => withDeadline(database, { withinMs: 5_000 }, readTotals),
  });
  const github = createLimitedGitHubApp({ config, database, metrics, timing });
  const accesses = cleanup.use(createAccessPool({ github, secrets: redactor }));
  const { queueDays: retentionDays } = config.retention;
  const queue = createQueue({ connection, schema: queueSchema, log, retentionDays, timing });
  await queue.start();
  cleanup.defer(() => queue.stop());
  const store = { database, queue };
  const threads = shared?.threads ?? cleanup.adopt(createThreads({ timing: timing.threads }), ({ close }) => close());
  const notifications = cleanup.use(receiveNotifications({ connection, log }));

  const openProject = createOpenProject({ database, github, accesses, timing });
  const roles = createRoles({ openProject });
  const repositories =
    role === 'web' ? undefined : createRepositories({ config, github, ...(shared ?? cleanup.use(createSpawner())) });
  const readDiff = createReadDiff({ openProject, repositories });
  const { webUrl } = config.github;
  const onGitHub = { ...store, github, secrets: redactor, openProject, webUrl };
  const changes = createChangeReader({ ...onGitHub, threads });

  const measured = metrics.measure(takeStep);
  const automations = createAutomations({
    ...onGitHub,
    runTask: runFor(threads, 'automations'),
    changes,
    models: config.openai.models,
    limits: { ...config.projectLimits, rateLimit: 0 },
    runsPerDay: config.automationRunsPerDay,
    takeStep: measured,
    log,
  });

  const outbound = createOutbound({ ...config, timing: timing.outbound });

  // Listens before any work starts, so that a port in use ends the start before a job is claimed.
  await using serverCleanup = new AsyncDisposableStack();
  let worker: Worker | undefined;
  const checks = createChecks({ config, github, hasDatabaseRoom: () => hasDatabaseRoom(database) });
  const health = cleanup.use(startHealth({ checks, log, ...timing.health }));
  const readMetrics = () => {
    const workerUse = worker && { live: worker.countLiveRuns(), slots: config.workerConcurrency };
    const parts = degradedParts.map((part) => ({ part, isDegraded: health.degraded().includes(part) }));
    return metrics.render({ worker: workerUse, connections: readPoolUse(), parts });
  };
  const authorization = createAuthorization({ config, redactor, log, timing });
  const allChecks = createAllChecks({
    config,
    github,
    authorization,
    environment: process.env,
    readGitVersion: (stopped) => readGitVersion(createGit({ allowHttp: false }), stopped),
    inspectDatabase: () => inspectDatabase(database),
    findUnusedDatabase: () => findUnusedCluster(config),
  });
  const examineAll = (stopped: AbortSignal) =>
    examine(allChecks, { signal: stopped, withinMs: timing.health.checkWithinMs });
  const built = { store, notifications, threads, github, openProject, roles, changes, automations, metrics, outbound };
  const parts = { config, log, redactor, timing, ...built };
  const server = await startHttpServer(
    {
      ...parts,
      readMetrics,
      degraded: health.degraded,
      problems: health.problems,
      examine: examineAll,
      readDiff,
      readFile: createReadFileAt({ openProject, repositories }),
      readContextStates: createContextStates({ ...onGitHub, runTask: runFor(threads, 'context') }),
      authorization,
      listener,
    },
    serverCleanup,
  );
  if (repositories) {
    const describeEvent = createDescribeEvent({ database, webUrl });
    worker = await startBackgroundWork({ ...parts, repositories, describeEvent, takeStep: measured }, cleanup);
  }
  signal.throwIfAborted();
  server.open();

  cleanup.use(serverCleanup.move());
  // Runs before the server closes: a stop has 30 s, and live runs or a queue without its database may need half of them.
  cleanup.defer(() => {
    void worker?.stop();
    // `queue.stop` throws the same error later.
    queue.stopWorking().catch(() => {});
  });
  log.info({ url: server.url, role }, 'pagewright is ready');
  const running = cleanup.move();
  return {
    url: server.url,
    examine: examineAll,
    [Symbol.asyncDispose]: () => running.disposeAsync(),
  };
}
