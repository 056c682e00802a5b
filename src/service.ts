import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { createNodeMiddleware, Probot } from 'probot';
import { createModel } from './agent/create-model.ts';
import { giveAnswer, giveUpAnswer } from './answers/give-answer.ts';
import { resendAnswers } from './answers/resend-answers.ts';
import { createApi } from './api/server.ts';
import { createApp, type Handler } from './app.ts';
import type { Config } from './config.ts';
import type { DeliveryParts } from './deliveries/event-handler.ts';
import { createMayPrompt } from './deliveries/may-prompt.ts';
import { giveUpDelivery, processDelivery } from './deliveries/process-delivery.ts';
import { reconcile } from './deliveries/reconcile.ts';
import { refreshSettings } from './deliveries/refresh-settings.ts';
import { resendDeliveries } from './deliveries/resend-deliveries.ts';
import { type AccessPool, createAccessPool } from './github/access-pool.ts';
import { createGitHubApp, type GitHubApp } from './github/app.ts';
import { listen } from './listen.ts';
import type { Log } from './log.ts';
import { createOpenProject } from './projects/open-project.ts';
import { createBranchRules } from './runs/branch-rules.ts';
import { executeRun } from './runs/execute-run.ts';
import type { RunParts } from './runs/run-parts.ts';
import { type Around, goStraight } from './steps.ts';
import { type Connection, createDatabase } from './store/database.ts';
import { startEmbeddedPostgres } from './store/embedded-postgres.ts';
import { blockInstallation } from './store/installations.ts';
import { listenForSignals } from './store/job-signals.ts';
import { isRunLeased } from './store/lease.ts';
import { migrate } from './store/migrate.ts';
import { createQueue } from './store/queue.ts';
import { sweepRateCounters } from './store/rate-counters.ts';
import { sweepRedeliveries } from './store/redeliveries.ts';
import type { Store } from './store/store.ts';
import type { Redactor } from './text/redact.ts';
import { createInstalledPages } from './web/installed-pages.ts';
import { storeDelivery } from './webhooks/store-delivery.ts';
import { createWebhookDoor } from './webhooks/webhook-door.ts';
import { createWorker } from './worker/worker.ts';
import { createGit } from './workspace/git.ts';
import { createMirrors } from './workspace/mirrors.ts';
import { createWorkspaces } from './workspace/workspaces.ts';

const mirrorUpkeepEveryMs = 10 * 60_000;
const drainMs = 5_000;

export interface Service extends AsyncDisposable {
  /** Where it listens: `http://127.0.0.1:3000`. */
  url: string;
}

interface Parts {
  config: Config;
  log: Log;
  redactor: Redactor;
  connection: Connection;
  store: Store;
  github: GitHubApp;
  accesses: AccessPool;
  around: Around;
}

/**
 * Builds every part of the service once, in order, and starts it. Disposing stops them: first nothing new is taken in, then live
 * runs are handed over, the database goes last. An abort before it has started leaves nothing behind and throws the signal's reason.
 */
export async function startService({
  signal = new AbortController().signal,
  around = goStraight,
  ...given
}: {
  config: Config;
  log: Log;
  redactor: Redactor;
  signal?: AbortSignal;
  /** For trials: what is done around each step. */
  around?: Around;
}): Promise<Service> {
  const { config, log } = given;
  await using cleanup = new AsyncDisposableStack();

  const { databaseUrl, dataDir } = config;
  const connection = databaseUrl
    ? { connectionString: databaseUrl }
    : cleanup.use(await startEmbeddedPostgres({ dataDir, signal })).connection;
  const database = createDatabase({ connection, log });
  cleanup.defer(() => database.destroy());
  await migrate(database, { signal });
  signal.throwIfAborted();
  const { appId, privateKey, apiUrl, webUrl } = config.github;
  const onLimited = (installationId: number, until: Date) => blockInstallation(database, installationId, until);
  const github = createGitHubApp({ appId, privateKey, apiUrl, webUrl, onLimited });
  const accesses = cleanup.use(createAccessPool({ github, secrets: given.redactor }));
  const queue = createQueue({ connection, log });
  await queue.start();
  cleanup.defer(() => queue.stop());

  const parts = { ...given, connection, store: { database, queue }, github, accesses, around };
  // Served before anything works, so that a port in use ends the start before a job is claimed; the door is also the first to close.
  await using door = new AsyncDisposableStack();
  const { url, open } = await startServing(parts, door);
  if (config.role !== 'web') await startWorking(parts, cleanup);
  signal.throwIfAborted();
  open();
  cleanup.use(door.move());
  log.info({ url, role: config.role }, 'pagewright is ready');
  const held = cleanup.move();
  return { url, [Symbol.asyncDispose]: () => held.disposeAsync() };
}

/** Everything that happens by itself: runs, stored deliveries, the periodic work. */
async function startWorking(
  { config, log, redactor, connection, store, github, accesses, around }: Parts,
  cleanup: AsyncDisposableStack,
): Promise<void> {
  const { database, queue } = store;
  const { api, apiKey, baseUrl } = config.openai;
  const { webUrl } = config.github;
  const git = createGit({ allowHttp: webUrl.startsWith('http:') });
  const mirrors = createMirrors({ git, directory: join(config.dataDir, 'mirrors'), maxBytes: config.cacheMaxBytes });
  const { maxChangedFiles, maxChangedBytes } = config.runLimits;
  const limits = { maxChangedFiles, maxChangedBytes };
  const workspaces = createWorkspaces({ git, directory: join(config.dataDir, 'workspaces'), limits });
  await workspaces.removeOrphans((runId) => isRunLeased(database, runId));
  const runParts: RunParts = {
    ...store,
    github,
    git,
    mirrors,
    workspaces,
    modelNamed: (model) => createModel({ api, apiKey, baseUrl, model, log }),
    models: config.openai.models,
    limits: config.runLimits,
    webUrl,
    readBranchRules: createBranchRules(),
    redactor,
    around,
    log,
  };
  const worker = createWorker({
    database,
    name: `${hostname()}-${process.pid}-${randomUUID()}`,
    concurrency: config.workerConcurrency,
    execute: (lease, held) => executeRun(runParts, lease, held),
    around,
    log,
  });
  cleanup.defer(() => worker.stop());
  cleanup.use(listenForSignals({ connection, log, onSignal: worker.check }));

  await queue.workWakeUps(worker.look);
  const openProject = createOpenProject({ database, accesses });
  const deliveryParts: DeliveryParts = {
    ...store,
    github,
    openProject,
    mayPrompt: createMayPrompt({ openProject, log }),
    log,
  };
  await queue.workDeliveries({
    process: (deliveryId, signal) =>
      around({ step: 'process delivery' }, () => processDelivery(deliveryParts, deliveryId, signal)),
    giveUp: (deliveryId) => giveUpDelivery(store, deliveryId),
  });
  await queue.workAnswers({
    process: (entry, signal) => giveAnswer({ database, openProject, around, log }, entry, signal),
    giveUp: (entry) => giveUpAnswer(store, entry),
  });
  await queue.workSchedule('reconcile', (signal) => reconcile(deliveryParts, signal));
  await queue.workSchedule('refresh-settings', (signal) => refreshSettings(deliveryParts, signal));
  await queue.workSchedule('sweep', async (signal) => {
    await sweepRateCounters(database);
    await sweepRedeliveries(database);
    await resendDeliveries({ ...store, log }, signal);
    await resendAnswers({ ...store, log }, signal);
  });
  // Not waited for: GitHub out of reach is no reason not to take webhooks in.
  await queue.triggerSchedule('reconcile');
  await queue.triggerSchedule('refresh-settings');

  const stopping = new AbortController();
  const upkeep = setInterval(
    () =>
      mirrors.maintain(stopping.signal).catch((error) => log.warn({ err: error }, 'the mirrors were not maintained')),
    mirrorUpkeepEveryMs,
  );
  cleanup.defer(() => {
    clearInterval(upkeep);
    stopping.abort(new Error('the service is stopping'));
  });
  worker.look();
}

/** Everything that is asked for over HTTP. Returns where; `/readyz` says no until it is `open`. */
async function startServing(
  { config, log, store, github }: Parts,
  cleanup: AsyncDisposableStack,
): Promise<{ url: string; open: () => void }> {
  const { appId, privateKey, webhookSecret: secret, apiUrl: baseUrl } = config.github;
  let isOpen = false;
  const api = createApi({ store, config, log, isStopping: () => !isOpen });
  const handlers: Handler[] = [
    (request, response) => {
      api(request, response);
      return true;
    },
  ];
  // A worker is sent no webhooks and needs no secret; Probot would fall back to one that everybody knows.
  const probot = new Probot({
    appId,
    privateKey,
    secret: secret || randomUUID(),
    baseUrl,
    log: log.child({ name: 'probot' }),
  });
  if (config.role !== 'worker') {
    const { fetchApp } = github;
    handlers.unshift(
      createWebhookDoor({ probot, log }),
      createInstalledPages({ fetchApp, webUrl: config.github.webUrl }),
    );
  }
  const app = createApp({ storeDelivery: (event) => storeDelivery(store, event), handlers });
  const server = createServer(await createNodeMiddleware(app, { probot }));

  const { host } = config;
  const { port } = cleanup.use(await listen(server, { host, port: config.port, drainMs }));
  // The first to happen when it stops.
  cleanup.defer(() => {
    isOpen = false;
  });
  const open = () => {
    isOpen = true;
  };
  return { url: `http://${host}:${port}`, open };
}
