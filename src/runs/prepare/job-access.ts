import type { Bot } from '../../github/auth/app.ts';
import type { RepositoryAccess } from '../../github/auth/open-access.ts';
import type { Permissions } from '../../github/auth/permissions.ts';
import type { Repository } from '../../github/calls/repository.ts';
import { openProjectAlone } from '../../projects/open-project.ts';
import { listRuns } from '../../store/tables/jobs/runs.ts';
import { findProject, type Project } from '../../store/tables/repositories/projects.ts';
import { RunFailure } from '../failures.ts';
import { chooseBranch } from '../name-branch.ts';
import type { RunContext } from '../run-context.ts';

/** Minted for the minutes of publishing only, not for the hours of work. */
export const publishingPermissions = { contents: 'write', pull_requests: 'write' } as const;

/** For publishing. */
export async function openJobAccess(context: RunContext, permissions: Permissions): Promise<RepositoryAccess> {
  return openRunAccess(context, await requireProject(context), permissions, context.signals.publish);
}

export function openRunAccess(
  { parts: { database, github, redactor: secrets } }: RunContext,
  project: Project,
  permissions: Permissions,
  signal: AbortSignal,
): Promise<RepositoryAccess> {
  return openProjectAlone({ database, github, secrets, signal }, project, permissions);
}

export async function requireProject({ parts, job: { project_id: projectId } }: RunContext): Promise<Project> {
  const project = await findProject(parts.database, projectId);
  if (!project) throw new Error(`there is no project ${projectId}`);
  return project;
}

/** The repository on GitHub while a run prepares. Its token can only read, and ends with the scope. */
export interface RemoteRepository extends RepositoryAccess {
  repository: Repository;
  /** The address of its git server, without credentials. */
  url: string;
  bot: Bot;
  /** Where the run will push. The rules of pagewright/** apply to each name, so any will do until the title is known. */
  branch: string;
}

const reading = { contents: 'read', metadata: 'read' } as const;

/** Throws `RunFailure` if nobody can change the repository. */
export async function openRemote(context: RunContext, project: Project): Promise<RemoteRepository> {
  const { parts, job } = context;
  const signal = context.signals.work;
  await using opening = new AsyncDisposableStack();
  const access = opening.use(await openRunAccess(context, project, reading, signal));
  const { token, client } = access;
  const repository = access.repository ?? (await client.fetchRepository());
  assertWritable(repository);
  const bot = await parts.github.fetchBot({ token, signal });
  const branch = chooseBranch(job, await listRuns(parts.database, job.job_id), '');
  const url = `${parts.webUrl}/${repository.owner}/${repository.repo}.git`;
  const opened = opening.move();
  return { token, client, repository, url, bot, branch, [Symbol.asyncDispose]: () => opened.disposeAsync() };
}

function assertWritable({ fullName, archived, disabled, hasPullRequests }: Repository): void {
  if (!hasPullRequests)
    throw new RunFailure(
      'pull_requests_disabled',
      `${fullName} has no pull requests: they are switched off in its settings. Switch them on, then send the instruction again.`,
    );
  if (!archived && !disabled) return;
  const state = archived ? 'archived' : 'disabled';
  throw new RunFailure(
    `repository_${state}`,
    `${fullName} is ${state}, so it cannot be changed. Make it active again, then send the instruction again.`,
  );
}
