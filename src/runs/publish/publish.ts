import { listUnfinishedDeletions, type PlannedAnswer, planComment } from '../../effects/plan-answer.ts';
import { writeRunAnswers } from '../../effects/run-answers.ts';
import { hasCommit } from '../../git/commits.ts';
import type { RepositoryAccess } from '../../github/auth/open-access.ts';
import { closerPermissions } from '../../github/calls/people-calls.ts';
import type { PullRequest } from '../../github/calls/pull-request-calls.ts';
import type { RepositoryClient } from '../../github/calls/repository-client.ts';
import { listMessagesOfRun, type Message } from '../../store/tables/jobs/messages.ts';
import type { RunEnd } from '../../store/tables/jobs/runs.ts';
import type { Audience } from '../checkout.ts';
import { openJobAccess, publishingPermissions } from '../prepare/job-access.ts';
import type { Conflict, Frozen, FrozenChange, Publication } from '../publication.ts';
import { type CheckedOutRun, inMirror, type RunContext } from '../run-context.ts';
import { markResolved } from '../work/resolved-threads.ts';
import { addLabelsAndReviewers, makeOptionalChange } from './add-labels-and-reviewers.ts';
import { findBaseConflict } from './find-base-conflict.ts';
import { fetchBranch, findPushed } from './find-pushed.ts';
import { refreezePublication } from './freeze.ts';
import { makeCommit } from './make-commit.ts';
import { hideUnquotable, quotesApi, toOutgoingContext, writeInThread } from './outgoing.ts';
import { pushChange } from './push-change.ts';
import { upsertPullRequest } from './upsert-pull-request.ts';
import { writeLeftChecks } from './write-checks.ts';

/** Somebody closed or merged the pull request before the run had published. */
interface Closed {
  kind: 'closed' | 'merged';
}

export type Published = { kind: 'published'; end: RunEnd } | Closed;

/** Commits, pushes, upserts the pull request and answers, each exactly once. */
export async function publish(
  context: CheckedOutRun,
  { publication: frozen, isEarlier }: Frozen,
): Promise<Published | Conflict> {
  await context.reload();
  const { change, end } = frozen;
  if (!change) {
    await answerWithoutChange(context, frozen);
    return { kind: 'published', end };
  }
  await using access = await openJobAccess(context, publishingPermissions);
  const { client } = access;
  const found = await fetchJobPullRequest(context, client);
  // A push would bring back a branch that somebody deleted with its pull request.
  if (found.kind !== 'open') return found;
  if (isEarlier) await remakeCommit(context, change);
  const moved = await findBaseConflict(context, access.token, change);
  if (moved?.kind === 'conflict') return moved;
  const publication = moved ? await addWarning(context, frozen, moved.warning) : frozen;
  // Before the push, so that nobody merges a change that they have not read.
  if (change.becomesDraft && found.pullRequest?.state === 'open') await makeDraft(context, client, found.pullRequest);
  const pushed = await pushOntoTip(context, access, { publication, change });
  if (pushed.kind === 'already_there') {
    const { pull_request_number: number } = context.job;
    if (number !== null && !(await isSilent(context, { ...publication, end: alreadyThere })))
      await postAnswers(context, client, { publication, pullRequest: number });
    return { kind: 'published', end: alreadyThere };
  }
  if (pushed.kind !== 'pushed') return pushed;

  const { sha } = pushed.change;
  const { number, isNew } = await upsertPullRequest(context, client, {
    change: pushed.change,
    existing: found.pullRequest,
  });
  await addLabelsAndReviewers(context, client, { number, isNew });
  const { warnings = [] } = publication;
  // A new pull request is the answer, unless there are warnings.
  if (isNew && warnings.length === 0) return { kind: 'published', end: { ...end, commitSha: sha } };
  // A person may have removed our section of the description, which lists the remaining problems.
  const leftChecks = !isNew && publication.checks ? writeLeftChecks(publication.checks) : undefined;
  const changedPaths = [...context.checkout.workspace.writes().keys()];
  await postAnswers(context, client, { publication, pullRequest: number, sha, changedPaths, leftChecks });
  return { kind: 'published', end: { ...end, commitSha: sha } };
}

/** Where GitHub refuses, as in repositories without drafts, the text of the pull request begins with a warning anyway. */
async function makeDraft(context: RunContext, client: RepositoryClient, pullRequest: PullRequest): Promise<void> {
  if (pullRequest.isDraft) return;
  const { number } = pullRequest;
  await makeOptionalChange(context, client, number, {
    name: 'draft',
    request: { number },
    act: () => client.convertToDraft(pullRequest),
    refused: 'The pull request could not be made a draft.',
  });
}

async function answerWithoutChange(context: CheckedOutRun, publication: Publication): Promise<void> {
  const { pull_request_number: number } = context.job;
  if (number === null || (await isSilent(context, publication))) return;
  await using access = await openJobAccess(context, { pull_requests: 'write' });
  await postAnswers(context, access.client, { publication, pullRequest: number });
}

/** Nobody asked, and there is nothing to say. */
async function isSilent({ parts, run }: CheckedOutRun, { end }: Publication): Promise<boolean> {
  if (end.code !== 'unchanged') return false;
  const messages = await listMessagesOfRun(parts.database, run.run_id);
  return messages.every(({ source }) => source === 'automation');
}

/** Freezes the warning too, so that it survives a takeover. */
async function addWarning(context: CheckedOutRun, frozen: Publication, warning: string): Promise<Publication> {
  const publication = { ...frozen, warnings: [...new Set([...(frozen.warnings ?? []), warning])] };
  await refreezePublication(context, publication);
  return publication;
}

/** `open` includes a pull request that our push closed. `Closed`: a person ended the job. */
async function fetchJobPullRequest(
  context: CheckedOutRun,
  client: RepositoryClient,
): Promise<{ kind: 'open'; pullRequest: PullRequest | undefined } | Closed> {
  const { pull_request_number: number } = context.job;
  const pullRequest = number === null ? undefined : await client.fetchPullRequest(number);
  if (!pullRequest || pullRequest.state === 'open') return { kind: 'open', pullRequest };
  if (pullRequest.merged) return { kind: 'merged' };
  // GitHub closes a pull request when a push leaves nothing to merge. The check needs permission for issues, which an installation may not grant.
  await using access = await openJobAccess(context, closerPermissions);
  const closer = await access.client.fetchCloser(pullRequest.number);
  return closer === 'other' ? { kind: 'closed' } : { kind: 'open', pullRequest };
}

const alreadyThere: RunEnd = {
  outcome: 'completed',
  code: 'unchanged',
  sentence: 'Nothing was left to change: somebody pushed the same change to the branch.',
};

/** Where the branch has moved, merges the change onto the new tip, freezes it again and pushes. `already_there`: the tip has all of it. */
async function pushOntoTip(
  context: CheckedOutRun,
  access: RepositoryAccess,
  { publication, change: frozen }: { publication: Publication; change: FrozenChange },
): Promise<{ kind: 'pushed'; change: FrozenChange } | { kind: 'already_there' } | Conflict | Closed> {
  const signal = context.signals.publish;
  let change = frozen;
  for (;;) {
    const pushed = await pushChange(context, access, change);
    if (pushed.kind === 'pushed') return { kind: 'pushed', change: { ...change, sha: pushed.sha } };
    const { tip } = pushed;
    const found = tip === null ? await fetchJobPullRequest(context, access.client) : undefined;
    if (found && found.kind !== 'open') return found;
    await using mirror = await fetchBranch(context, { token: access.token, branch: change.branch });
    // Our commit is below the tip. Only its record is missing, which the next round writes.
    if (tip !== null && (await findPushed(context, { change, mirror, tip }))) continue;
    const made = await makeCommit(context, { text: change, tip, signal });
    if (made.kind === 'conflict') return made;
    if (made.kind === 'empty') return { kind: 'already_there' };
    change = { ...change, tip, sha: made.sha };
    await refreezePublication(context, { ...publication, change });
  }
}

/** After a takeover, the mirror has no commit. */
async function remakeCommit(context: CheckedOutRun, change: FrozenChange): Promise<void> {
  const { sha, tip } = change;
  const signal = context.signals.publish;
  if (await hasCommit({ ...inMirror(context, signal), sha })) return;
  const made = await makeCommit(context, { text: change, tip, signal });
  if (made.kind === 'made' && made.sha === sha) return;
  throw new Error(`could not make the frozen commit ${sha} again: ${made.kind === 'made' ? made.sha : made.kind}`);
}

interface Report {
  publication: Publication;
  pullRequest: number;
  /** The pushed commit. */
  sha?: string;
  /** The files of that commit. */
  changedPaths?: readonly string[];
  /** The remaining problems of the checks, as Markdown. */
  leftChecks?: string | undefined;
}

/** Each answer is posted exactly once. A refusal, such as of a locked conversation, becomes a warning, because the work is done. */
export async function postAnswers(
  context: RunContext & { checkout: Audience },
  client: RepositoryClient,
  { publication, pullRequest, sha, changedPaths, leftChecks }: Report,
): Promise<void> {
  const { parts, lease, run, effects, checkout } = context;
  const { database, timing } = parts;
  const { jobId } = lease;
  const { run_id: runId, started_at: since } = run;
  const { owner, repo } = checkout.repository;
  const remove = (deletion: PlannedAnswer) => effects.performOptional(deletion);
  // The transaction that dropped a message has answered it.
  const stored = (await listMessagesOfRun(database, runId)).filter(({ state }) => state !== 'dropped');
  const messages = await withoutResolved(client, pullRequest, stored);
  const report = {
    ...publication,
    // Its texts are long, and no answer quotes them.
    change: null,
    runId,
    pullRequest,
    messages: hideUnquotable(messages, { quotesApi: quotesApi(checkout) }),
    commitUrl: sha === undefined ? undefined : `${parts.webUrl}/${owner}/${repo}/commit/${sha}`,
    changedPaths,
    leftChecks,
    context: toOutgoingContext(context, publication.allowedHosts),
  };
  for (const { key, answer } of await writeInThread(context, answersTask, report)) {
    const comment = planComment(client, { key, answer }, { since, remove });
    await effects.performOptional({
      ...comment,
      lagsMs: timing.github.replicationDelaysMs,
      async heal() {
        for (const deletion of await listUnfinishedDeletions(database, client, { jobId, key })) await remove(deletion);
        await comment.heal?.();
      },
    });
  }
}

/** A thread that somebody resolved meanwhile gets no reply. */
async function withoutResolved(client: RepositoryClient, pullRequest: number, messages: Message[]): Promise<Message[]> {
  if (!messages.some(({ context }) => (context?.review?.threads.length ?? 0) > 0)) return messages;
  const resolved = await client.listResolvedThreads(pullRequest);
  return messages.map((message) => markResolved(message, resolved));
}

const answersTask = { module: import.meta.resolve('../../effects/run-answers.ts'), work: writeRunAnswers };
