import { RunFailure } from '../errors.ts';
import type { Bot } from '../github/app.ts';
import type { Repository } from '../github/repository.ts';
import type { RepositoryClient } from '../github/repository-client.ts';
import type { Job } from '../store/jobs.ts';
import { inLease } from '../store/lease.ts';
import { findProject } from '../store/projects.ts';
import { updateRun } from '../store/runs.ts';
import { readWrites } from '../store/turns.ts';
import type { Mirror } from '../workspace/mirrors.ts';
import type { Workspace } from '../workspace/workspace.ts';
import type { HeldRun, RunParts } from './run-parts.ts';

/** Where a run works: the repository on GitHub, its mirror on this machine, and the files that the agent edits. */
export interface Site extends AsyncDisposable {
  repository: Repository;
  /** Of the repository's git server; holds no credential. */
  url: string;
  bot: Bot;
  mirror: Mirror;
  /** The commit that the run's changes lie on; the same for the whole run, also after a takeover. */
  baseSha: string;
  workspace: Workspace;
}

/** A run at its site, for as long as the signal lets it. */
export interface RunAtSite extends HeldRun {
  site: Site;
  signal: AbortSignal;
}

/** What reading needs. What writing needs is minted for the minutes of publishing, not for the hours of work. */
const reading = { contents: 'read', metadata: 'read' } as const;

/** Opens the site of a run, with the run's write set laid over its base. Throws what its parts throw. */
export async function openSite(
  parts: RunParts,
  { lease, job, run, signal }: HeldRun & { signal: AbortSignal },
): Promise<Site> {
  await using access = await openAccess(parts, { job, permissions: reading, signal });
  await using cleanup = new AsyncDisposableStack();
  const repository = await access.client.fetchRepository();
  assertWritable(repository);
  const url = `${parts.webUrl}/${repository.owner}/${repository.repo}.git`;
  const mirror = cleanup.use(
    await parts.mirrors.fetch({
      repositoryId: repository.repositoryId,
      url,
      token: access.token,
      runId: run.run_id,
      base: job.base,
      branch: job.branch,
      signal,
    }),
  );
  const baseSha = run.base_sha ?? mirror.branchSha ?? mirror.baseSha;
  if (run.base_sha === null) {
    await inLease(parts.database, lease, (tx) => updateRun(tx, run.run_id, { base_sha: baseSha }));
  }
  const workspace = cleanup.use(
    await parts.workspaces.open({
      runId: run.run_id,
      mirror,
      sha: baseSha,
      writes: await readWrites(parts.database, run.run_id),
      signal,
    }),
  );
  const bot = await parts.github.fetchBot({ token: access.token, signal });
  const held = cleanup.move();
  return { repository, url, bot, mirror, baseSha, workspace, [Symbol.asyncDispose]: () => held.disposeAsync() };
}

/** A token for the job's one repository, and a client that uses it. The token is revoked, and forgotten, at the end. */
export interface Access extends AsyncDisposable {
  token: string;
  client: RepositoryClient;
}

export async function openAccess(
  { database, github, redactor }: RunParts,
  {
    job,
    name,
    permissions,
    signal,
  }: {
    job: Job;
    /** The repository's name as GitHub has it now; none: as it was stored. Reads follow a new name, writes do not. */
    name?: { owner: string; repo: string };
    permissions: Record<string, 'read' | 'write'>;
    signal: AbortSignal;
  },
): Promise<Access> {
  const project = await findProject(database, job.project_id);
  if (!project) throw new Error(`there is no project ${job.project_id}`);
  const { installation_id: installationId, repository_id: repositoryId, owner, repo } = project;
  const minted = await github.mintToken({ installationId, repositoryId, permissions, signal });
  redactor.hide(minted.token);
  const { token, permissions: granted } = minted;
  return {
    token,
    client: github.repositoryClient({
      installationId,
      repositoryId,
      token,
      permissions: granted,
      owner: name?.owner ?? owner,
      repo: name?.repo ?? repo,
      signal,
    }),
    async [Symbol.asyncDispose]() {
      await github.revokeToken(minted.token);
      redactor.forget(minted.token);
    },
  };
}

function assertWritable({ fullName, archived, disabled }: Repository): void {
  if (!archived && !disabled) return;
  const state = archived ? 'archived' : 'disabled';
  throw new RunFailure(
    `repository_${state}`,
    `${fullName} is ${state}, so nothing can be changed in it: make it active again.`,
  );
}
