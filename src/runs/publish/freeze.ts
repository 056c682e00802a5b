import type { AgentEnd, Finished } from '../../agent/run-agent.ts';
import type { Problem } from '../../docs/problem.ts';
import { isContained } from '../../git/commits.ts';
import { listOpened } from '../../policy/list-opened.ts';
import { listNewAddresses } from '../../policy/pages/list-new-addresses.ts';
import { sendTogether, type Tx } from '../../store/postgres/database.ts';
import { inLease } from '../../store/schedule/lease.ts';
import { recordEvents } from '../../store/tables/jobs/events.ts';
import { listUnansweredMessages, releaseMessages } from '../../store/tables/jobs/messages.ts';
import { addRunWarning, assertNoStop, listRuns, type Run, updateRun } from '../../store/tables/jobs/runs.ts';
import { toProblemEvents } from '../check-problem-events.ts';
import {
  type CheckReport,
  checksDidNotRun,
  findExplanation,
  findOwnExplanation,
  toCheckReport,
} from '../check-report.ts';
import { type Conflict, type Evidence, type Frozen, findEarlierChecks, type Publication } from '../publication.ts';
import { type CheckedOutRun, inMirror, type RunContext } from '../run-context.ts';
import type { WorkEnd } from '../work/edit-docs.ts';
import { checkEvidence } from '../work/evidence.ts';
import { findNewSecrets, listFinishTexts } from '../work/find-new-secrets.ts';
import { findUnresolvedConflicts, writeUntouchedWarnings } from '../work/find-unresolved-conflicts.ts';
import { createNameHider, findPrivateNames } from '../work/private-names.ts';
import { makeCommit } from './make-commit.ts';
import { conflictsRemain, endChanged, endUnchanged, privateNamed, publishNothing, secretFound } from './outcomes.ts';
import { listNamedHosts } from './outgoing.ts';
import type { Notes } from './pull-request-text.ts';
import { type ChangeText, writeChange, writeChangeText } from './write-change.ts';

/** Makes the commit and stores what will be published. After this transaction the run does not go back to the model. */
export async function freeze(context: CheckedOutRun, end: WorkEnd): Promise<Frozen | Conflict> {
  if (end.kind === 'failure') return store(context, publishNothing(end));
  const { checkout, signals, takeStep } = context;
  const { docs, workspace } = checkout;
  const signal = signals.work;
  const limit = end.kind === 'limit' ? end.sentence : null;
  const { marked, untouched } = await findUnresolvedConflicts(checkout);
  if (marked.length > 0) return store(context, conflictsRemain(marked, limit));
  const text = await writeChangeText(context, end);
  const explained = end.kind === 'finished' ? (end.explained ?? []) : [];
  const secrets = await findNewSecrets(context, { texts: listChangeTexts(text, explained), signal });
  if (secrets.length > 0) return store(context, secretFound(secrets));
  const named = await findPrivateNames(context, signal);
  if (named.length > 0) return store(context, privateNamed(named));
  const made = await takeStep('commit', () =>
    makeCommit(context, { text: text.commit, tip: checkout.mirror.branchSha, signal }),
  );
  if (made.kind === 'conflict') return made;
  const sha = made.kind === 'made' ? made.sha : await findUnpublished(context);
  const { summary, replies, unseen } = text;
  const allowedHosts = listNamedHosts(text.outgoing, [summary, ...replies.map((reply) => reply.text)]);
  if (sha === undefined) return store(context, endUnchanged(end, { summary, replies, unseen, allowedHosts }));
  const evidence = await readEvidence(context, end);
  const notes = await findNotes(context, sha);
  const checks = await checkPublication(context, explained);
  const pages = await docs.ask('changedPages', {}, workspace.writes(), { signal });
  const becomesDraft = await opensFiles(context, sha);
  return store(context, {
    end: endChanged(context, end, made),
    summary,
    replies,
    allowedHosts,
    warnings: writeUntouchedWarnings(untouched),
    unseen,
    limit,
    checks,
    ...(pages && { pages }),
    evidence,
    change: await writeChange(context, { limit, text, evidence, sha, notes, checks, becomesDraft }),
  });
}

/** Publishes nothing of a place that may no longer be read. */
async function readEvidence(context: CheckedOutRun, end: AgentEnd): Promise<Evidence[]> {
  if (end.kind !== 'finished' || end.evidence === undefined) return [];
  const hideNames = createNameHider(context.checkout);
  const { evidence } = await checkEvidence(context, end.evidence, context.signals.work);
  const { redact } = context.parts.redactor;
  return evidence.map((each) => ({ ...each, claim: hideNames(redact(each.claim)) }));
}

/** About the whole change of the job, like the section that shows them. */
async function findNotes(context: CheckedOutRun, sha: string): Promise<Notes> {
  const { mirror, writeRules, base, mergeBaseSha } = context.checkout;
  // A commit on top of the base commit begins where that one does.
  const isOnTop = base.mergedBaseSha === null && (mirror.branchSha ?? base.sha) === base.sha;
  const from = isOnTop ? mergeBaseSha : undefined;
  const change = { ...inMirror(context, context.signals.work), base: mirror.baseSha, sha, from };
  return {
    addresses: await listNewAddresses({ ...change, readPage: writeRules.readers?.readPage }),
    opened: await listOpened({ ...change, also: writeRules.also }),
  };
}

/** Checks the whole change of the job. A checker that fails or takes too long does not fail the run. */
async function checkPublication(context: CheckedOutRun, explained: Explained): Promise<CheckReport> {
  const { parts, takeStep, checkout, signals, job, run } = context;
  const { docs, workspace } = checkout;
  const checked = await takeStep('check', () => docs.check(workspace.writes(), { signal: signals.work }));
  const earlier = findEarlierChecks(await listRuns(parts.database, job.job_id), run);
  const hideNames = createNameHider(checkout);
  const explain = (problem: Problem) => {
    const own = findOwnExplanation(explained, problem);
    return own === undefined ? findExplanation(earlier, problem) : hideNames(parts.redactor.redact(own));
  };
  const checks = checked === undefined ? checksDidNotRun : toCheckReport(checked, explain);
  parts.onCheckReport(checks);
  return checks;
}

/** Whether this run, rather than an earlier one, changed files that only `also` lets it write: people have seen those of earlier runs. */
async function opensFiles(context: CheckedOutRun, sha: string): Promise<boolean> {
  const { mirror, writeRules } = context.checkout;
  if (mirror.branchSha === null) return false;
  const change = { ...inMirror(context, context.signals.work), base: mirror.branchSha, sha };
  return (await listOpened({ ...change, also: writeRules.also })).length > 0;
}

async function store(context: CheckedOutRun, publication: Publication): Promise<Frozen> {
  await context.takeStep('freeze', () => freezePublication(context, publication));
  return { kind: 'frozen', publication, isEarlier: false };
}

/** Also releases messages that the model never answered, and tells the remaining problems. Throws `StopRequested`. */
export async function freezePublication(
  { parts: { database }, lease, run }: RunContext,
  publication: Publication,
): Promise<void> {
  await inLease(database, lease, async (tx) => {
    const [unanswered] = await sendTogether(tx, (tx) => [
      listUnansweredMessages(tx, run.run_id),
      assertNoStop(tx, lease.jobId),
    ]);
    const left = publication.checks?.problems ?? [];
    await sendTogether(tx, (tx) => [
      releaseMessages(tx, unanswered),
      storePublication(tx, run, publication),
      recordEvents(tx, lease.jobId, toProblemEvents(run.run_id, left, { sentBack: false })),
    ]);
  });
}

/** Replaces what was frozen, for the same change. */
export async function refreezePublication(
  { parts: { database }, lease, run }: RunContext,
  publication: Publication,
): Promise<void> {
  await inLease(database, lease, (tx) => storePublication(tx, run, publication));
}

/** Also adds the warnings to the run. */
async function storePublication(tx: Tx, { run_id: runId }: Run, publication: Publication): Promise<void> {
  await updateRun(tx, runId, { phase: 'publishing', publication: JSON.stringify(publication) });
  const { warnings = [], unseen } = publication;
  for (const warning of unseen === null ? warnings : [...warnings, unseen]) await addRunWarning(tx, runId, warning);
}

type Explained = NonNullable<Finished['explained']>;

const listChangeTexts = ({ title, description, summary, replies, commit }: ChangeText, explained: Explained) => [
  ...listFinishTexts({ title, description, summary, replies, explained }),
  { place: 'the commit message', text: commit.message },
];

/** The commit of an earlier run that pushed and then failed to open the pull request. */
async function findUnpublished(context: CheckedOutRun): Promise<string | undefined> {
  const { branchSha, baseSha } = context.checkout.mirror;
  if (context.job.pull_request_number !== null || branchSha === null) return undefined;
  const isInBase = await isContained({ ...inMirror(context, context.signals.work), sha: branchSha, tip: baseSha });
  return isInBase ? undefined : branchSha;
}
