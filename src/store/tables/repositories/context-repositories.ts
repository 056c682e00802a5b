import { sql } from 'kysely';
import type { Database } from '../../postgres/database.ts';
import { msBetween, now } from '../../postgres/moments.ts';
import type { Row } from '../schema.ts';
import type { Project } from './projects.ts';

/** `age_ms`: since it was checked, by the database's clock. */
type ContextRow = Row<'context_repositories'> & { age_ms: number };

/** Where a repository was found. */
export interface Placed {
  repositoryId: number;
  installationId: number;
  owner: string;
  repo: string;
}

/** What was found of one that the settings name. */
interface FoundContext {
  name: string;
  found: Placed | null;
  state: string;
  problem: string | null;
}

/** With its present name: a rename is told of the repository's own project. */
export async function listContextRows(tx: Database, projectId: string): Promise<ContextRow[]> {
  const { rows } = await sql<ContextRow>`
    select found.*, coalesce(own.owner, found.owner) as owner, coalesce(own.repo, found.repo) as repo,
      ${msBetween(sql`checked_at`, now)} as age_ms
    from context_repositories found left join projects own on own.repository_id = found.repository_id
    where found.project_id = ${projectId} order by found.name`.execute(tx);
  return rows;
}

/** The projects of automations that a repository may trigger, if it lets them: its settings concern them. */
export async function listDependentProjects(tx: Database, repositoryId: number): Promise<Project[]> {
  const { rows } = await sql<Project>`
    select * from projects where removed_at is null
      and project_id in (select project_id from context_repositories where repository_id = ${repositoryId})
      and project_id in (select project_id from automations where removed_at is null)
    order by project_id`.execute(tx);
  return rows;
}

/** Replaces what was known. One that could not be found keeps its last place, because it may come back. */
export async function storeContextRepositories(
  tx: Database,
  projectId: string,
  all: readonly FoundContext[],
): Promise<void> {
  const rows = all.map(({ name, found, state, problem }) => ({
    ...found,
    name: name.toLowerCase(),
    state,
    problem,
  }));
  await sql`
    with found as (
      select * from json_to_recordset(${JSON.stringify(rows)}::json) as found
        (name text, "repositoryId" bigint, "installationId" bigint, owner text, repo text, state text, problem text)
    ),
    removed as (
      delete from context_repositories where project_id = ${projectId} and name not in (select name from found)
    )
    insert into context_repositories
      (project_id, name, repository_id, installation_id, owner, repo, state, problem, checked_at)
    select ${projectId}, found.*, now() from found
    on conflict (project_id, name) do update set
      repository_id = excluded.repository_id, installation_id = excluded.installation_id, owner = excluded.owner,
      repo = excluded.repo, state = excluded.state, problem = excluded.problem, checked_at = excluded.checked_at`.execute(
    tx,
  );
}
