import type { LocalGitHub } from '../local/github/start-github.ts';
import type { Database } from '../src/store/postgres/database.ts';
import { createProject } from './create-project.ts';

/** A repository with the App installed, and its project. */
export type AddedProject = Awaited<ReturnType<typeof addProject>>;

/** Adds `<owner>/docs` with a separate installation, so that it shares no rate limit, and creates its project. Rita may write. */
export async function addProject({
  github,
  database,
  owner,
  files,
  isPublic = false,
  kilobytes,
}: {
  github: LocalGitHub;
  database: Database;
  owner: string;
  files: Record<string, string>;
  isPublic?: boolean | undefined;
  kilobytes?: number | undefined;
}) {
  const repository = await github.addRepository({ owner, name: 'docs', files, private: !isPublic, kilobytes });
  const installationId = github.install({ account: owner, repositories: 'all' });
  github.setPermission(repository.fullName, 'rita', 'write');
  const repositoryId = repository.id;
  const { projectId, key } = await createProject(database, { owner, repo: 'docs', repositoryId, installationId });
  return { repository, installationId, projectId, key };
}
