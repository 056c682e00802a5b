import { findNamedChanges } from '../context/changes/find-named-changes.ts';
import { isProse } from '../docs/page-extensions.ts';
import type { RepositoryClient } from '../github/calls/repository-client.ts';
import type { FoundChange } from '../store/tables/jobs/named-pull-request.ts';
import type { Project } from '../store/tables/repositories/projects.ts';
import type { AutomationParts } from './automation-parts.ts';

const isImage = (path: string): boolean => /\.(?:png|jpe?g|gif|svg|webp)$/i.test(path);

/**
 * A pull request of the documentation, open or merged, that the text of a change links to: people documented it themselves. Where code and
 * documentation share a repository, one that changes nothing but pages. null: there is none.
 */
export async function findDocumenting(
  { openProject, webUrl }: AutomationParts,
  { project, change }: { project: Project; change: FoundChange },
  signal: AbortSignal,
): Promise<string | null> {
  const { owner, repo, repository_id: repositoryId } = project;
  const isShared = change.repositoryId === repositoryId;
  const numbers = listLinked(change.body, { owner, repo, webUrl, isShared }).filter(
    (number) => !isShared || number !== change.number,
  );
  if (numbers.length === 0) return null;
  await using access = await openProject(project, { pull_requests: 'read' }, signal);
  for (const number of numbers) {
    if (!(await isDocumenting(access.client, number, { isShared }))) continue;
    return `${owner}/${repo}#${number}`;
  }
  return null;
}

const maxLinked = 5;

/** In its own repository a pull request is also linked by its number alone. */
function listLinked(
  body: string,
  { owner, repo, webUrl, isShared }: { owner: string; repo: string; webUrl: string; isShared: boolean },
): number[] {
  const isDocumentation = (named: { owner: string; repo: string }) =>
    `${named.owner}/${named.repo}`.toLowerCase() === `${owner}/${repo}`.toLowerCase();
  const named = findNamedChanges(body, { webUrl }).named.filter(isDocumentation);
  const short = isShared
    ? [...body.matchAll(/(?<![\w/&#])#([1-9]\d{0,8})(?!\w)/g)].map(([, digits]) => Number(digits))
    : [];
  return [...new Set([...named.map(({ number }) => number), ...short])].slice(0, maxLinked);
}

async function isDocumenting(client: RepositoryClient, number: number, { isShared }: { isShared: boolean }) {
  const found = await client.fetchPullRequest(number);
  if (!found || (found.state === 'closed' && !found.merged)) return false;
  if (!isShared) return true;
  const files = await client.listPullRequestFiles(number);
  return files.length > 0 && files.every(({ path }) => isProse(path) || isImage(path));
}
