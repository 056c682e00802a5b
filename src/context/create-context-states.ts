import { askGitHub } from '../projects/ask-github.ts';
import type { OpenProject } from '../projects/open-project.ts';
import { readStoredSettings } from '../repository/settings.ts';
import { listContextRows } from '../store/tables/repositories/context-repositories.ts';
import type { Project } from '../store/tables/repositories/projects.ts';
import { realTiming } from '../timing.ts';
import type { ContextEntry } from './context-repository.ts';
import { type ResolveParts, resolveContext, storeResolved } from './resolve-context.ts';

/** How long pages and the API show a state before they ask again. */
const shownForMs = 60_000;

/** An item of `context` in the settings, and whether it may be read. */
export interface ContextStatus extends ContextEntry {
  /** Its present name on GitHub; null: it was never found. */
  fullName: string | null;
  /** A `ContextState`, or `unknown`: GitHub has not answered yet. */
  state: string;
  /** For people: what is missing and where; null: nothing. */
  problem: string | null;
  checkedAt: Date | null;
}

export type ReadContextStates = (project: Project, signal: AbortSignal) => Promise<ContextStatus[]>;

/** For pages and the API: asks GitHub for what was not asked lately; while it does not answer, what was known still counts. */
export function createContextStates(options: ResolveParts & { openProject: OpenProject }): ReadContextStates {
  const { openProject, ...parts } = options;
  const { database } = parts;
  async function refresh(project: Project, entries: readonly ContextEntry[], signal: AbortSignal): Promise<void> {
    const soon = AbortSignal.any([signal, AbortSignal.timeout(realTiming.http.githubMs)]);
    const { project_id: projectId } = project;
    const asked = await askGitHub(async () => {
      await using access = await openProject(project, { contents: 'read' }, soon);
      const { client } = access;
      const repository = access.repository ?? (await client.fetchRepository());
      return await resolveContext(parts, { projectId, repository, client }, entries, soon);
    });
    if (asked.kind === 'answered') await storeResolved(database, projectId, asked.result);
  }

  return async (project, signal) => {
    const { context: entries } = readStoredSettings(project.settings);
    if (entries.length === 0) return [];
    const { project_id: projectId } = project;
    const before = await listContextRows(database, projectId);
    const isLate = ({ repository }: ContextEntry) => {
      const row = before.find(({ name }) => name === repository.toLowerCase());
      return !row || row.age_ms > shownForMs;
    };
    if (entries.some(isLate)) await refresh(project, entries, signal);
    const rows = await listContextRows(database, projectId);
    return entries.map((entry) => {
      const row = rows.find(({ name }) => name === entry.repository.toLowerCase());
      return {
        ...entry,
        fullName: row?.owner && row.repo ? `${row.owner}/${row.repo}` : null,
        state: row?.state ?? 'unknown',
        problem: row?.problem ?? null,
        checkedAt: row?.checked_at ?? null,
      };
    });
  };
}
