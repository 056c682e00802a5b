import { createBudget } from '../../agent/budget.ts';
import type { Model } from '../../agent/model/model.ts';
import { type AgentEnd, runAgent } from '../../agent/run-agent.ts';
import { isProse } from '../../docs/page-extensions.ts';
import { inLease } from '../../store/schedule/lease.ts';
import type { FoundChange } from '../../store/tables/columns.ts';
import {
  hasChanges,
  insertChanges,
  insertImages,
  listChangesOfJob,
  listImageFacts,
} from '../../store/tables/jobs/attachments.ts';
import { listMessages, listMessagesOfTurn, type Message } from '../../store/tables/jobs/messages.ts';
import { listRuns } from '../../store/tables/jobs/runs.ts';
import { bound } from '../../text/bound.ts';
import { listImages } from '../../text/list-images.ts';
import { createTools, listEarlierTools } from '../../tools/create-tools.ts';
import { findFailedEnd } from '../failures.ts';
import { findLastChange, readPublication } from '../publication.ts';
import type { CheckedOutRun, RunContext } from '../run-context.ts';
import { type Briefing, isMessage, writeBriefing } from './briefing.ts';
import { createOtherRepositories } from './create-other-repositories.ts';
import { createProblemFinder, isAutomatic } from './create-problem-finder.ts';
import { markResolvedThreads } from './resolved-threads.ts';
import { createRunJournal } from './run-journal.ts';
import { systemPrompt } from './system-prompt.ts';
import { createTurnEvents } from './turn-events.ts';
import { writeContextOverview } from './write-context-overview.ts';
import { writeOverview } from './write-overview.ts';

/** `failure`: trying again would not help. */
export type WorkEnd = AgentEnd | { kind: 'failure'; code: string; sentence: string };

/** The journal holds everything that another worker needs to continue after a crash. */
export async function editDocs(context: CheckedOutRun): Promise<WorkEnd> {
  const { parts, lease, job, run, checkout, signals, log } = context;
  const { database, takeStep } = parts;
  const { workspace } = checkout;
  const { work, grace } = signals;
  const events = createTurnEvents({ runId: run.run_id, redactor: parts.redactor, workspace, runTask: context.runTask });
  const stored = { database, takeStep, lease, run, events };
  const journal = await createRunJournal({
    ...stored,
    writes: () => workspace.writes(),
    beforeTurn: async (turnIndex) => {
      const messages = await listMessagesOfTurn(database, { jobId: job.job_id, turnIndex });
      await readMissingChanges(context, messages);
      await readMissingImages(context, messages);
      if (turnIndex > 0) await markResolvedThreads(context, messages);
    },
    grace,
  });
  const { turns } = journal;
  const first = turns.length === 0 ? await listMessagesOfTurn(database, { jobId: job.job_id, turnIndex: 0 }) : [];
  const over = await markResolvedThreads(context, first);
  if (over) return over;
  const briefing = turns.length === 0 ? [writeBriefing(await readBriefing(context))] : [];
  const budget = createBudget({
    ...parts.limits,
    spent: { turns: turns.length, tokens: run.tokens_in + run.tokens_out, activeMs: run.active_ms },
    measureChange: () => measure(workspace.writes()),
  });
  try {
    const tools = createTools({
      workspace,
      runTask: context.runTask,
      docs: checkout.docs,
      others: createOtherRepositories(context),
      changes: () => listHandedChanges(context),
    });
    return await runAgent({
      model: createRunModel(context),
      tools,
      earlierTools: listEarlierTools(tools),
      instructions: systemPrompt,
      cacheKey: job.job_id,
      budget,
      journal,
      contextTokens: parts.contextTokens,
      onCompacted: ({ turns: compacted, turnIndex, tokensBefore, tokensAfter }) =>
        log.info({ turnIndex, turns: compacted.size, tokensBefore, tokensAfter }, 'compacted the conversation'),
      findProblems: createProblemFinder(context, { onSentBack: events.sendBack }),
      isMessage,
      unneeded: await listUnneeded(context),
      opening: run.notice === null ? briefing : [...briefing, run.notice],
      signal: work,
      grace,
    });
  } catch (error) {
    const end = findFailedEnd(error);
    if (!end) throw error;
    // People see the sentence; only the operator sees the model server's answer.
    log.warn({ err: error }, 'the agent could not continue');
    return { kind: 'failure', ...end };
  }
}

async function readBriefing(context: CheckedOutRun): Promise<Briefing> {
  const { parts, job, run, checkout } = context;
  const isFirst = run.number === 1;
  const [overview, messages, runs] = await Promise.all([
    readOverview(context),
    isFirst ? [] : listMessages(parts.database, job.job_id),
    isFirst ? [] : listRuns(parts.database, job.job_id),
  ]);
  const earlier = runs.filter(({ number }) => number < run.number);
  const publications = earlier.map(readPublication);
  return {
    repository: checkout.repository.fullName,
    base: job.base,
    writingRules: checkout.guidance.writingRules,
    unread: checkout.guidance.unread,
    overview,
    contextRepositories: checkout.contextRepositories.opened.map(({ entry, prefix, sha, plainFiles }) => ({
      prefix,
      commit: sha,
      overview: writeContextOverview(plainFiles.listFiles(), { only: entry.paths ?? null }),
    })),
    pullRequestTemplate: checkout.guidance.pullRequestTemplate?.text,
    earlierRuns: earlier.map(({ run_id, number, sentence }, index) => ({
      number,
      asked: messages.filter((message) => message.run_id === run_id).map(({ prompt }) => bound(prompt, 2_000)),
      summary: bound(publications[index]?.summary || sentence || '', 2_000),
    })),
    pullRequest: findLastChange(runs),
  };
}

/** Every request carries the schema of finish. The same after a takeover, unless a message has arrived since. */
async function listUnneeded(context: CheckedOutRun): Promise<('subject' | 'evidence')[]> {
  const rests =
    context.checkout.contextRepositories.opened.length > 0 ||
    (await isAutomatic(context)) ||
    (await listHandedChanges(context)).length > 0;
  return [...(context.run.number === 1 ? ['subject' as const] : []), ...(rests ? [] : ['evidence' as const])];
}

async function listHandedChanges({ parts, job }: RunContext): Promise<FoundChange[]> {
  const changes = await listChangesOfJob(parts.database, job.job_id);
  return changes.filter((change) => change.kind === 'found');
}

/** Describes the present files: a later run sees the changes of earlier ones. */
async function readOverview({ checkout, signals }: CheckedOutRun): Promise<string | undefined> {
  const { docs, workspace, writeRules } = checkout;
  const found = await docs.ask('overview', undefined, workspace.writes(), { signal: signals.work });
  if (found === undefined || found.sites.length === 0) return undefined;
  const { allow, also } = writeRules;
  return writeOverview(found, {
    describeAccess: workspace.describeAccess,
    allow,
    also,
    generated: listGenerated(workspace),
  });
}

const listGenerated = ({ listFiles, describeAccess }: CheckedOutRun['checkout']['workspace']) =>
  listFiles()
    .filter(isProse)
    .flatMap((path) => {
      const access = describeAccess(path);
      return access.kind === 'protected' && access.isGenerated ? [{ path, reason: access.reason }] : [];
    });

function createRunModel({ parts: { modelNamed }, job, run, takeStep }: RunContext): Model {
  const model = modelNamed(job.model);
  // One request shows whether the model server is back. More would keep the worker's slot, and each may cost money.
  let next = run.model_down_since === null ? model : modelNamed(job.model, { attempts: 1 });
  return {
    respond: (...request) =>
      takeStep('ask model', async () => {
        const answer = await next.respond(...request);
        next = model;
        return answer;
      }),
  };
}

function measure(writes: ReadonlyMap<string, Uint8Array | null>): { files: number; bytes: number } {
  let bytes = 0;
  for (const content of writes.values()) bytes += content?.byteLength ?? 0;
  return { files: writes.size, bytes };
}

/** For messages whose sender could not wait for GitHub: reads the pull requests that they name before the agent sees them. */
async function readMissingChanges(
  { parts, lease, job, signals }: RunContext,
  messages: readonly Message[],
): Promise<void> {
  const { database, changes } = parts;
  for (const { message_id: messageId, prompt } of messages) {
    if (!changes.isNamedIn(prompt) || (await hasChanges(database, messageId))) continue;
    const read = await changes.readNamed(prompt, { projectId: job.project_id, signal: signals.work });
    await inLease(database, lease, (tx) => insertChanges(tx, messageId, read));
  }
}

/** Signed addresses end within minutes, so the images are read when the run takes the messages, and kept for a takeover. */
async function readMissingImages(
  { parts, lease, job, signals }: RunContext,
  messages: readonly Message[],
): Promise<void> {
  const { database, readImages } = parts;
  if (readImages === null) return;
  for (const message of messages) {
    if (listImages(message.prompt).length === 0) continue;
    const stored = await listImageFacts(database, [message.message_id]);
    if (stored.some(({ address }) => address !== null)) continue;
    const images = await readImages(message, job, signals.work);
    await inLease(database, lease, (tx) => insertImages(tx, message.message_id, images, { from: stored.length }));
  }
}
