import { archiveJob } from '../jobs/archive-job.ts';
import { reopenJob } from '../jobs/reopen-job.ts';
import type { DeliveryFields } from '../store/delivery-fields.ts';
import { findJobOfPullRequest, lockJob, updateJob } from '../store/jobs.ts';
import { findProjectByRepository } from '../store/projects.ts';
import type { DeliveryParts, EventHandler } from './event-handler.ts';

type PullRequestState = Pick<NonNullable<DeliveryFields['pull_request']>, 'state' | 'merged'>;

/**
 * Merged, closed or reopened: the job is archived, or answerable again. Applies only when GitHub's `updated_at` is newer than
 * what was applied last; at a tie, which whole seconds allow, GitHub is asked how it is now.
 */
export const pullRequestChanged: EventHandler = async (parts, fields) => {
  const { repository, pull_request: told, sender } = fields;
  if (!repository || !told) return async () => 'the delivery names no pull request';
  const project = await findProjectByRepository(parts.database, repository.id);
  if (!project || told.head.repo?.id !== repository.id) return async () => 'not one of our pull requests';
  const place = { projectId: project.project_id, number: told.number, branch: told.head.ref };
  const known = await findJobOfPullRequest(parts.database, place);
  if (!known) return async () => 'not one of our pull requests';

  const updatedAt = new Date(told.updated_at);
  const isTie = known.pull_request_updated_at?.getTime() === updatedAt.getTime();
  const now: PullRequestState = isTie ? ((await fetchState(parts, fields)) ?? told) : told;
  const isOurs = sender?.type === 'Bot' && sender.login === `${(await parts.github.fetchApp()).slug}[bot]`;
  return async (tx) => {
    const job = await lockJob(tx, known.job_id);
    if (!job) return 'the job is gone';
    if (job.pull_request_updated_at && job.pull_request_updated_at > updatedAt)
      return 'a newer event was applied before';
    // What GitHub told us may be older than that other delivery: this one has to be judged anew.
    if (job.pull_request_updated_at?.getTime() !== known.pull_request_updated_at?.getTime())
      throw new Error(`another delivery changed ${job.job_id} meanwhile`);
    await updateJob(tx, job.job_id, { pull_request_updated_at: updatedAt });
    if (now.state === 'open') await reopenJob(tx, job.job_id);
    // A push that leaves nothing to merge closes a pull request in our name: nobody asked for that.
    else if (!now.merged && isOurs) return 'closed by ourselves';
    else await archiveJob(tx, job.job_id, now.merged ? 'merged' : 'closed');
    return undefined;
  };
};

async function fetchState(
  { database, github }: DeliveryParts,
  { repository, pull_request }: DeliveryFields,
): Promise<PullRequestState | undefined> {
  const project = repository && (await findProjectByRepository(database, repository.id));
  if (!project || !pull_request) return undefined;
  const { installation_id: installationId, repository_id: repositoryId, owner, repo } = project;
  const signal = AbortSignal.timeout(30_000);
  const wanted = { installationId, repositoryId, permissions: { pull_requests: 'read' } as const, signal };
  const { token, permissions } = await github.mintToken(wanted);
  try {
    const client = github.repositoryClient({ ...wanted, owner, repo, token, permissions });
    return await client.fetchPullRequest(pull_request.number);
  } finally {
    await github.revokeToken(token);
  }
}
