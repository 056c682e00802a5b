import { noteHappening } from '../../automations/note-happening.ts';
import { GitHubRefusal } from '../../github/refusals/github-refusal.ts';
import { inTransaction } from '../../store/store.ts';
import { listTriggeringProjects, markOccasionsRead } from '../../store/tables/automations/automations.ts';
import type { Project } from '../../store/tables/repositories/projects.ts';
import type { DeliveryParts } from '../delivery-context.ts';
import { describeMerge, describeRelease } from '../describe-happening.ts';
import { reconcileEach } from './reconcile-each.ts';

/** Older ones were told, or GitHub has redelivered them. */
const lookBackMs = 3 * 24 * 3600_000;
const mostListed = 50;

/** Notes merges and releases whose webhooks were lost: each once, however it was told. Two requests for each repository that triggers. */
export async function reconcileOccasions(
  parts: DeliveryParts,
  signal: AbortSignal,
  timeUp?: AbortSignal,
): Promise<void> {
  await reconcileEach(await listTriggeringProjects(parts.database), {
    log: parts.log,
    signal,
    timeUp,
    about: (project) => ({ projectId: project.project_id }),
    isExpected: (error) => error instanceof GitHubRefusal,
    async reconcile(project, until) {
      await markOccasionsRead(parts.database, project.project_id);
      await reconcileRepository(parts, project, until);
    },
  });
}

async function reconcileRepository(parts: DeliveryParts, project: Project, signal: AbortSignal): Promise<void> {
  const { github, openProject } = parts;
  const since = Date.now() - lookBackMs;
  const repository = {
    repositoryId: project.repository_id,
    repository: `${project.owner}/${project.repo}`,
  };
  const botLogin = await github.fetchBotLogin(signal);
  await using access = await openProject(project, { pull_requests: 'read', contents: 'read' }, signal);
  const { client } = access;
  const base = project.default_branch;
  const merged = await client.listMerged({ base, most: mostListed });
  const released = await client.listReleases({ most: mostListed });
  const happenings = [
    ...merged.map(({ number, author, mergedAt }) =>
      describeMerge({ ...repository, number, author, mergedAt, botLogin }),
    ),
    ...released.flatMap(({ draft, publishedAt, id, author }) =>
      draft || !publishedAt
        ? []
        : [describeRelease({ ...repository, releaseId: id, isByBot: author.isBot, publishedAt })],
    ),
  ];
  for (const happening of happenings)
    if (happening.occurredAt.getTime() > since) await inTransaction(parts, (store) => noteHappening(store, happening));
}
