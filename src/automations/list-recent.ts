import { openAccess } from '../github/auth/open-access.ts';
import { readTrigger } from '../repository/automation-shapes.ts';
import type { AutomationKey } from '../store/tables/automations/occasions.ts';
import type { AutomationParts } from './automation-parts.ts';
import { findSource } from './find-source.ts';
import { readAutomation } from './read-automation.ts';

const lookBackMs = 30 * 24 * 3600_000;
const mostListed = 100;

interface RecentMerge {
  /** `acme/api#12`. */
  reference: string;
  title: string;
  url: string;
  author: string;
  mergedAt: Date;
}

export type RecentMerges =
  | { kind: 'unknown' }
  /** Nothing that is merged triggers it, or its repository does not agree. */
  | { kind: 'none'; problem: string }
  | { kind: 'listed'; repository: string; merges: RecentMerge[] };

/** What was merged in the last 30 days where an automation looks, the newest first: to pick from. Throws where GitHub does not answer. */
export async function listRecentMerges(
  parts: AutomationParts,
  key: AutomationKey,
  signal: AbortSignal,
): Promise<RecentMerges> {
  const { database, github, secrets } = parts;
  const found = await readAutomation(database, key);
  if (!found) return { kind: 'unknown' };
  const { row, setting, project } = found;
  if (readTrigger(setting).kind !== 'merged') return { kind: 'none', problem: 'No pull request triggers it.' };
  const { repository_id: repositoryId } = row;
  if (repositoryId === null || row.broken !== null)
    return { kind: 'none', problem: row.broken ?? 'Its repository is not known.' };
  const source = await findSource(parts, { project, repositoryId }, signal);
  if (source.kind === 'closed') return { kind: 'none', problem: source.problem };
  const { installationId, repository } = source;
  const location = { installationId, ...repository };
  await using access = await openAccess({ github, secrets, location, permissions: { pull_requests: 'read' }, signal });
  const merged = await access.client.listMerged({ base: repository.defaultBranch, most: mostListed });
  const since = Date.now() - lookBackMs;
  const merges = merged
    .filter(({ mergedAt }) => mergedAt.getTime() > since)
    .toSorted((one, other) => other.mergedAt.getTime() - one.mergedAt.getTime())
    .map(({ number, title, url, author, mergedAt }) => ({
      reference: `${repository.fullName}#${number}`,
      title,
      url,
      author: author?.login ?? 'ghost',
      mergedAt,
    }));
  return { kind: 'listed', repository: repository.fullName, merges };
}
