import { noteHappening } from '../../automations/note-happening.ts';
import { intendAnswer } from '../../effects/answer.ts';
import { readStoredSettings } from '../../repository/settings.ts';
import type { Database } from '../../store/postgres/database.ts';
import type { StoreTx } from '../../store/store.ts';
import { findJobAskedOn, type Job, lockJob, updateJob } from '../../store/tables/jobs/jobs.ts';
import { storeSize } from '../../store/tables/jobs/verdicts.ts';
import { findProjectByRepository } from '../../store/tables/repositories/projects.ts';
import { applyPullRequest, type PullRequestState, readPullRequestState } from '../apply-pull-request.ts';
import { type DeliveryContext, ignoredBecause } from '../delivery-context.ts';
import { describeMerge, nameRepository } from '../describe-happening.ts';
import { findJobPullRequest, type JobPullRequest } from '../find-job-pull-request.ts';
import { alsoApply, defineEvent, type EventHandler, type FieldsOf } from '../github-event.ts';
import { handleOpened } from '../mentions/handle-mention.ts';
import { fieldsOf, moment, text } from '../payload.ts';
import { mayBeChecked, requestCheck } from '../request-check.ts';
import { ifFromFork, mayConcernJob, mayMention, mayTrigger } from '../worth-storing.ts';

const fields = {
  repository: fieldsOf.repository,
  pull_request: fieldsOf.pull_request.extend({ body: text, created_at: moment.nullish(), merge_commit_sha: text }),
};
type Fields = FieldsOf<typeof fields>;

const isMergedIntoDefault = ({ action, pull_request: { merged, base }, repository }: Fields): boolean =>
  action === 'closed' && merged && base.ref === repository.default_branch;

/** Applies the delivered state by its `updated_at`. Asks GitHub for the current state if the last one applied is of the same second. */
const pullRequestChanged: EventHandler<Fields> = async (context) => {
  const { github, fields, signal } = context;
  const { pull_request: payload, sender, action } = fields;
  const found = await findJobPullRequest(context);
  if (!found) return ignoredBecause.noJob;

  const isSentByUs = sender?.type === 'Bot' && sender.login === (await github.fetchBotLogin(signal));
  const { state, merged } = payload;
  const updatedAt = new Date(payload.updated_at);
  const isReopened = action === 'reopened' && !isSentByUs;
  const isTie = found.job.pull_request_updated_at?.getTime() === updatedAt.getTime();
  // An edit's sender need not have closed the pull request.
  const isCloserUnknown = state === 'closed' && !merged && action !== 'closed';
  const current = isTie || isCloserUnknown ? await fetchState(context, found) : undefined;
  const delivered = { state, merged, base: payload.base.ref, updatedAt, isClosedByUs: isSentByUs };
  return (store) => applyPullRequest(store, found.job, { ...(current ?? delivered), isReopened });
};

async function fetchState(
  context: DeliveryContext,
  { project, number }: JobPullRequest,
): Promise<PullRequestState | undefined> {
  await using access = await context.openProject(project, { pull_requests: 'read' }, context.signal);
  const current = await access.client.fetchPullRequest(number);
  return current && (await readPullRequestState(context, project, current, context.signal));
}

/** A job that somebody asked for on a pull request goes where that one was merged. Its own pull request does, too. */
const pullRequestEnded = alsoApply(pullRequestChanged, async (context) => {
  const { pull_request: theirs } = context.fields;
  const project = theirs.merged ? await context.findProject() : undefined;
  if (!project) return undefined;
  const { number } = theirs;
  const job = await findJobAskedOn(context.database, { projectId: project.project_id, number });
  return job && ((store) => followMerge(store, job, theirs));
});

async function followMerge(store: StoreTx, { job_id: jobId }: Job, theirs: Fields['pull_request']): Promise<boolean> {
  const { number, head, base, merge_commit_sha: mergedSha } = theirs;
  const job = await lockJob(store.tx, jobId);
  if (job.status === 'archived' || job.base !== head.ref || head.sha === undefined || !mergedSha) return false;
  const { pull_request_number: pullRequest } = job;
  if (pullRequest === null) {
    await updateJob(store.tx, jobId, { base: base.ref });
    return true;
  }
  const answer = { kind: 'retarget', pullRequest, from: head.ref, to: base.ref, headSha: head.sha, mergedSha } as const;
  return intendAnswer(store, { jobId, key: `retarget:${number}`, answer });
}

/** Whether somebody asked for a job on a pull request that is merged now. */
async function isAskedOn(database: Database, { action, repository, pull_request: theirs }: Fields): Promise<boolean> {
  const { number, merged } = theirs;
  if (action !== 'closed' || !merged) return false;
  const project = await findProjectByRepository(database, repository.id);
  if (!project) return false;
  return (await findJobAskedOn(database, { projectId: project.project_id, number })) !== undefined;
}

/** A merge may end a job, trigger automations, or both. */
const pullRequestClosed: EventHandler<Fields> = async (context) => {
  const changed = await pullRequestEnded(context);
  const { fields, github, receivedAt, signal } = context;
  if (!isMergedIntoDefault(fields) || changed instanceof Date) return changed;
  const { number, user, merged_at: mergedAt } = fields.pull_request;
  const happening = describeMerge(nameRepository(fields.repository), {
    number,
    author: user ? { login: user.login, isBot: user.type === 'Bot' } : null,
    mergedAt: mergedAt ? new Date(mergedAt) : receivedAt,
    botLogin: await github.fetchBotLogin(signal),
  });
  return async (store) => {
    const outcome = typeof changed === 'function' ? await changed(store) : changed;
    return (await noteHappening(store, happening)) > 0 ? undefined : outcome;
  };
};

/** A check of the head, where the settings ask for one: also for forks, and for pull requests of Pagewright. */
const withCheck = (handle: EventHandler<Fields> = async () => 'no check is wanted, or it was asked for before') =>
  alsoApply(handle, async (context) => {
    const project = await context.findProject();
    if (!project || readStoredSettings(project.settings).checks === 'off') return undefined;
    const { number, head, base, state } = context.fields.pull_request;
    if (state !== 'open') return undefined;
    return (store) => requestCheck(store, project.project_id, { number, sha: head.sha, base: base.ref });
  });

/** How large the pull request of a job is, for the list of jobs. */
const withSize = (handle?: EventHandler<Fields>) =>
  alsoApply(withCheck(handle), async (context) => {
    const { changed_files: files, additions, deletions, updated_at: at } = context.fields.pull_request;
    const found = await findJobPullRequest(context);
    if (!found || files == null || additions == null || deletions == null) return undefined;
    const { job_id: jobId } = found.job;
    return async ({ tx }) => storeSize(tx, { jobId, size: { files, additions, deletions }, at: new Date(at) });
  });

const pullRequestOpened: EventHandler<Fields> = async (context) => {
  const { pull_request: opened, sender } = context.fields;
  const { user, body } = opened;
  if (user?.type !== 'User' || user.id !== sender?.id || !body?.includes('@')) return ignoredBecause.noJob;
  if (await findJobPullRequest(context)) return 'a pull request of a job';
  return handleOpened(context, opened, 'pull_request');
};

const checkedActions = ['opened', 'synchronize', 'reopened', 'edited'];

export const pullRequest = defineEvent({
  name: 'pull_request',
  fields,
  handle: {
    opened: withSize(pullRequestOpened),
    synchronize: withSize(),
    closed: pullRequestClosed,
    reopened: withSize(pullRequestChanged),
    edited: withSize(pullRequestChanged),
  },
  // Where a pull request is merged from matters to no automation.
  findDropReason: (fields) =>
    isMergedIntoDefault(fields) || checkedActions.includes(fields.action ?? '') ? undefined : ifFromFork(fields),
  isWanted: async (database, fields) =>
    (checkedActions.includes(fields.action ?? '') && (await mayBeChecked(database, fields))) ||
    (isMergedIntoDefault(fields) && (await mayTrigger(database, fields))) ||
    (fields.action === 'opened' && (await mayMention(database, fields, fields.pull_request.body))) ||
    (await isAskedOn(database, fields)) ||
    mayConcernJob(database, fields),
});
