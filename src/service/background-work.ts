import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { createModel } from '../agent/model/create-model.ts';
import { createDialects } from '../agent/model/server-dialects.ts';
import type { Automations } from '../automations/create-automations.ts';
import type { CheckParts } from '../checks/check-parts.ts';
import { lookAtChecks } from '../checks/failing/look-at-checks.ts';
import { checkPullRequest } from '../checks/pull-requests/check-pull-request.ts';
import type { Config } from '../config/config.ts';
import type { ChangeReader } from '../context/changes/create-change-reader.ts';
import { createImageReader } from '../context/images/create-image-reader.ts';
import type { DeliveryParts } from '../deliveries/delivery-context.ts';
import { createWriteAccess } from '../deliveries/instructions/write-access.ts';
import { giveUpDelivery, processDelivery } from '../deliveries/process-delivery.ts';
import { giveAnswer, giveUpAnswer } from '../effects/give-answer.ts';
import type { GitHubApp } from '../github/auth/app.ts';
import type { Log } from '../log.ts';
import type { Metrics } from '../metrics/create-metrics.ts';
import type { DescribeEvent } from '../outbound/deliver.ts';
import { createDispatcher, type Dispatcher } from '../outbound/dispatcher.ts';
import type { Outbound } from '../outbound/outbound.ts';
import type { OpenProject } from '../projects/open-project.ts';
import type { Roles } from '../projects/roles.ts';
import { executeRun } from '../runs/execute-run.ts';
import { createBranchRules } from '../runs/prepare/branch-rules.ts';
import type { RunParts } from '../runs/run-context.ts';
import { createScanner } from '../secrets/scanner.ts';
import type { TakeStep } from '../steps.ts';
import type { Notifications } from '../store/postgres/notifications.ts';
import { jobChannel, receiveWakeUps } from '../store/schedule/workers.ts';
import type { Store } from '../store/store.ts';
import type { Redactor } from '../text/redact.ts';
import { runFor, type Threads } from '../threads/threads.ts';
import type { Timing } from '../timing.ts';
import { createWorker, type Worker } from '../worker/worker.ts';
import { createWorkspaces } from '../workspace/workspaces.ts';
import type { Repositories } from './create-repositories.ts';
import { startPeriodicWork } from './periodic-work.ts';

interface BackgroundParts {
  config: Config;
  log: Log;
  redactor: Redactor;
  notifications: Notifications;
  store: Store;
  threads: Threads;
  repositories: Repositories;
  github: GitHubApp;
  openProject: OpenProject;
  changes: ChangeReader;
  automations: Automations;
  roles: Roles;
  metrics: Metrics;
  outbound: Outbound;
  describeEvent: DescribeEvent;
  timing: Timing;
  takeStep: TakeStep;
}

/** Starts the work of a worker process: runs, webhook deliveries, answers and periodic work. All of it stops with `cleanup`. */
export async function startBackgroundWork(parts: BackgroundParts, cleanup: AsyncDisposableStack): Promise<Worker> {
  const { config, log, notifications, store, github, openProject, roles, timing, takeStep } = parts;
  const { database, queue } = store;

  const runParts = createRunParts(parts);
  await runParts.workspaces.removeOrphans();
  const name = `${hostname()}-${process.pid}-${randomUUID()}`;
  const worker = startWorker(parts, runParts, name);
  cleanup.defer(() => worker.stop());
  notifications.on(jobChannel, worker.renewLease);
  receiveWakeUps(notifications, name, worker.claimDueJobs);

  const deliveryParts: DeliveryParts = {
    ...store,
    threads: parts.threads,
    github,
    secrets: parts.redactor,
    openProject,
    changes: parts.changes,
    ...createWriteAccess({ roles, log }),
    timing,
    limits: { ...config.projectLimits, rateLimit: 0 },
    models: config.openai.models,
    log,
  };
  await queue.work('delivery', {
    process: ({ deliveryId }, signal) =>
      takeStep({ step: 'process delivery' }, () => processDelivery(deliveryParts, deliveryId, signal)),
    giveUp: ({ deliveryId }) => giveUpDelivery(store, deliveryId),
  });
  await queue.work('answer', {
    process: (entry, signal) => giveAnswer({ database, openProject, timing, takeStep, log }, entry, signal),
    giveUp: (entry) => giveUpAnswer(store, entry),
  });
  await queue.work('automation', {
    process: async (key, signal) => void (await parts.automations.runDue(key, signal)),
  });
  const { limits } = deliveryParts;
  const runTask = runFor(parts.threads, 'checks');
  const { redact } = parts.redactor;
  const checkParts: CheckParts = { ...store, github, openProject, runTask, redact, limits, timing, takeStep, log };
  await queue.work('look', {
    process: ({ jobId }, signal) => lookAtChecks(checkParts, jobId, signal),
  });
  const { git } = parts.repositories;
  const { webUrl } = config.github;
  const { mirrors, workspaces } = runParts;
  await queue.work('check', {
    process: (entry, signal) =>
      checkPullRequest({ ...checkParts, git, mirrors, threads: parts.threads, webUrl }, entry, signal),
  });
  const dispatcher = cleanup.use(startDispatcher(parts));
  await queue.workWebhookWakeUps(dispatcher.look);
  const { retention } = config;
  cleanup.use(await startPeriodicWork({ store, deliveryParts, mirrors, workspaces, retention, takeStep, log }));
  worker.claimDueJobs();
  dispatcher.look();
  return worker;
}

function createRunParts(parts: BackgroundParts): RunParts {
  const { config, log, redactor, store, threads, repositories, github, metrics, timing, takeStep } = parts;
  const { dataDir, runLimits } = config;
  const { git, mirrors } = repositories;
  const { models, contextTokens, ...openai } = config.openai;
  const { webUrl } = config.github;
  const { maxChangedFiles, maxChangedBytes } = runLimits;
  const scanText = createScanner({ threads });
  const findDialect = createDialects((learned) =>
    log.warn(learned, 'the model server refuses fields, which are left out'),
  );
  return {
    ...store,
    threads,
    scanText,
    github,
    git,
    mirrors,
    workspaces: createWorkspaces({
      git,
      directory: join(dataDir, 'workspaces'),
      limits: { maxChangedFiles, maxChangedBytes },
      scanText,
    }),
    modelNamed: (model, options) =>
      createModel({
        ...openai,
        model,
        findDialect,
        log,
        onRequest: metrics.onModelRequest,
        ...timing.model,
        ...options,
      }),
    models,
    contextTokens,
    limits: runLimits,
    webUrl,
    readBranchRules: createBranchRules(),
    changes: parts.changes,
    readImages: config.openai.images ? createImageReader({ ...store, openProject: parts.openProject, webUrl }) : null,
    redactor,
    timing,
    takeStep,
    onCheckReport: metrics.onCheckReport,
    log,
  };
}

function startWorker(
  { config, log, store, metrics, timing, takeStep }: BackgroundParts,
  runParts: RunParts,
  name: string,
): Worker {
  return createWorker({
    database: store.database,
    name,
    concurrency: config.workerConcurrency,
    projectConcurrency: config.projectConcurrency,
    listMirrors: runParts.mirrors.list,
    execute: (lease, signals) => executeRun(runParts, lease, signals),
    timing,
    takeStep,
    onClaimed: metrics.onClaimed,
    onLeaseLost: metrics.onLeaseLost,
    log,
  });
}

function startDispatcher({ log, store, outbound, describeEvent, metrics, timing }: BackgroundParts): Dispatcher {
  return createDispatcher({
    ...store,
    ...outbound,
    describe: describeEvent,
    log,
    drainMs: timing.shutdown.queueDrainMs,
    onTried(tried, durationMs) {
      const result = tried.kind === 'failed' && tried.retryMs === null ? 'given_up' : tried.kind;
      metrics.onWebhookPost({ result, durationMs });
    },
  });
}
