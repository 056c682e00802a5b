import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { createModel } from '../agent/model/create-model.ts';
import type { DeliveryParts } from '../deliveries/delivery-context.ts';
import { createMayPrompt } from '../deliveries/instructions/may-prompt.ts';
import { giveUpDelivery, processDelivery } from '../deliveries/process-delivery.ts';
import { reconcile } from '../deliveries/reconcile/reconcile.ts';
import { redeliverMissed } from '../deliveries/reconcile/redeliver-missed.ts';
import { refreshSettings } from '../deliveries/reconcile/refresh-settings.ts';
import { resendDeliveries } from '../deliveries/reconcile/resend-deliveries.ts';
import { giveAnswer, giveUpAnswer } from '../effects/give-answer.ts';
import { resendAnswers } from '../effects/resend-answers.ts';
import { createGit } from '../git/git.ts';
import { createMirrors } from '../git/mirrors/mirrors.ts';
import { createAdmittedGit } from '../projects/admitted-git.ts';
import { createOpenProject } from '../projects/open-project.ts';
import { executeRun } from '../runs/execute-run.ts';
import { createBranchRules } from '../runs/prepare/branch-rules.ts';
import type { RunParts } from '../runs/run-parts.ts';
import { listenForSignals } from '../store/schedule/job-signals.ts';
import { removeOld } from '../store/schedule/retention.ts';
import { sweepRateCounters } from '../store/tables/rate-counters.ts';
import { sweepRedeliveries } from '../store/tables/redeliveries.ts';
import { isOverdue } from '../store/tables/watermarks.ts';
import { createWorker, type Worker } from '../worker/worker.ts';
import { createWorkspaces } from '../workspace/workspaces.ts';
import { doEach } from './do-each.ts';
import type { Parts } from './parts.ts';

/**
 * What a start has done only if nobody did in this time: each costs a token for each installation or project, and a process that starts
 * again and again must not use up what the App has for an hour.
 */
const doneAtStart = [
  { name: 'reconcile', withinMs: 5 * 60_000 },
  { name: 'refresh-settings', withinMs: 3600_000 },
] as const;
const upkeepEveryMs = 10 * 60_000;

/** Everything that happens by itself: runs, stored deliveries, the periodic work. */
export async function startWorking(
  { config, log, redactor, connection, store, github, accesses, takeStep, metrics }: Parts,
  cleanup: AsyncDisposableStack,
): Promise<Worker> {
  const { database, queue } = store;
  const { api, apiKey, baseUrl } = config.openai;
  const { webUrl } = config.github;
  const git = createAdmittedGit({ git: createGit({ allowHttp: webUrl.startsWith('http:') }), github });
  const mirrors = createMirrors({ git, directory: join(config.dataDir, 'mirrors'), maxBytes: config.cacheMaxBytes });
  const { maxChangedFiles, maxChangedBytes } = config.runLimits;
  const limits = { maxChangedFiles, maxChangedBytes };
  const workspaces = createWorkspaces({ git, directory: join(config.dataDir, 'workspaces'), limits });
  await workspaces.removeOrphans();
  const runParts: RunParts = {
    ...store,
    github,
    git,
    mirrors,
    workspaces,
    modelNamed: (model, options) =>
      createModel({ api, apiKey, baseUrl, model, log, onRequest: metrics.onModelRequest, ...options }),
    models: config.openai.models,
    limits: config.runLimits,
    webUrl,
    readBranchRules: createBranchRules(),
    redactor,
    takeStep,
    log,
  };
  const worker = createWorker({
    database,
    name: `${hostname()}-${process.pid}-${randomUUID()}`,
    concurrency: config.workerConcurrency,
    projectConcurrency: config.projectConcurrency,
    execute: (lease, signals) => executeRun(runParts, lease, signals),
    takeStep,
    onClaimed: metrics.onClaimed,
    onLeaseLost: metrics.onLeaseLost,
    log,
  });
  cleanup.defer(() => worker.stop());
  cleanup.use(listenForSignals({ connection, log, onSignal: worker.check }));

  await queue.workWakeUps(worker.look);
  const openProject = createOpenProject({ database, github, accesses });
  const deliveryParts: DeliveryParts = {
    ...store,
    github,
    openProject,
    mayPrompt: createMayPrompt({ openProject, log }),
    log,
  };
  await queue.workDeliveries({
    process: (deliveryId, signal) =>
      takeStep({ step: 'process delivery' }, () => processDelivery(deliveryParts, deliveryId, signal)),
    giveUp: (deliveryId) => giveUpDelivery(store, deliveryId),
  });
  await queue.workAnswers({
    process: (entry, signal) => giveAnswer({ database, openProject, takeStep, log }, entry, signal),
    giveUp: (entry) => giveUpAnswer(store, entry),
  });
  await queue.workSchedule('redeliver', (signal) => redeliverMissed(deliveryParts, signal));
  await queue.workSchedule('reconcile', (signal) => reconcile(deliveryParts, signal));
  await queue.workSchedule('refresh-settings', (signal) => refreshSettings(deliveryParts, signal));
  await queue.workSchedule('sweep', (signal) =>
    doEach([
      () => sweepRateCounters(database),
      () => sweepRedeliveries(database),
      () => resendDeliveries({ ...store, log }, signal),
      () => resendAnswers({ ...store, log }, signal),
      // Last: it may take all the time there is, and nobody waits for it.
      () => removeOld({ database, log }, config.retention, signal),
    ]),
  );
  // Not waited for: GitHub out of reach is no reason not to take webhooks in.
  await queue.triggerSchedule('redeliver');
  for (const { name, withinMs } of doneAtStart)
    if (await isOverdue(database, name, { withinMs })) await queue.triggerSchedule(name);

  const stopping = new AbortController();
  const keepUp = () => doEach([workspaces.removeOrphans, () => mirrors.maintain(stopping.signal)]);
  const upkeep = setInterval(
    () => keepUp().catch((error) => log.warn({ err: error }, 'the mirrors and workspaces were not maintained')),
    upkeepEveryMs,
  );
  cleanup.defer(() => {
    clearInterval(upkeep);
    stopping.abort(new Error('the service is stopping'));
  });
  worker.look();
  return worker;
}
