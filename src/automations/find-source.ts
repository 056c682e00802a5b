import { resolveContext } from '../context/resolve-context.ts';
import type { Repository } from '../github/calls/repository.ts';
import { readStoredSettings, settingsPath } from '../repository/settings.ts';
import { listContextRows } from '../store/tables/repositories/context-repositories.ts';
import type { Project } from '../store/tables/repositories/projects.ts';
import type { AutomationParts } from './automation-parts.ts';

/** The repository that triggers an automation, as it is now. */
export type TriggeringRepository =
  | { kind: 'ready'; installationId: number; repository: Repository }
  | { kind: 'closed'; problem: string };

/** The project's own repository, or a context repository if both sides agree now. Throws where GitHub does not answer. */
export async function findSource(
  { openProject, ...parts }: AutomationParts,
  { project, repositoryId }: { project: Project; repositoryId: number },
  signal: AbortSignal,
): Promise<TriggeringRepository> {
  await using access = await openProject(project, { contents: 'read' }, signal);
  const own = access.repository ?? (await access.client.fetchRepository());
  if (repositoryId === own.repositoryId)
    return { kind: 'ready', installationId: project.installation_id, repository: own };
  const rows = await listContextRows(parts.database, project.project_id);
  const row = rows.find((each) => each.repository_id === repositoryId);
  const entry = readStoredSettings(project.settings).context.find(
    ({ repository }) => repository.toLowerCase() === row?.name,
  );
  if (!entry) return { kind: 'closed', problem: `\`context\` in ${settingsPath} no longer lists it.` };
  const documentation = { projectId: project.project_id, repository: own, client: access.client };
  const [resolved] = await resolveContext(parts, documentation, [entry], signal);
  if (resolved?.state !== 'ready')
    return { kind: 'closed', problem: resolved?.problem ?? `${entry.repository} is not read.` };
  return { kind: 'ready', installationId: resolved.found.installationId, repository: resolved.repository };
}
