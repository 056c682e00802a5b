import type { Mirror } from '../../git/mirrors/mirrors.ts';
import type { Bot } from '../../github/auth/app.ts';
import { findMintRefusal } from '../../github/auth/mint-token.ts';
import { type Access, openAccess } from '../../github/auth/open-access.ts';
import type { Permissions } from '../../github/auth/permissions.ts';
import type { Repository } from '../../github/calls/repository.ts';
import { followTransfer } from '../../projects/follow-transfer.ts';
import { readDatabaseTime } from '../../store/postgres/database.ts';
import { inLease } from '../../store/schedule/lease.ts';
import type { Job } from '../../store/tables/jobs.ts';
import { listMessages } from '../../store/tables/messages.ts';
import { findProject, type Project, placeOf } from '../../store/tables/projects.ts';
import { type Run, updateRun } from '../../store/tables/runs.ts';
import { readWrites } from '../../store/tables/turns.ts';
import type { WriteRules } from '../../workspace/policy/write-rules.ts';
import type { Workspace } from '../../workspace/workspace.ts';
import { RunFailure } from '../failures.ts';
import type { HeldRun, RunParts } from '../run-parts.ts';
import { type Base, findBase, prepareBase } from './base-commit.ts';
import { nameBranch } from './branch-name.ts';
import { evaluateRules, findRuleFailure, type PushRules } from './evaluate-rules.ts';
import { type Guidance, readGuidance } from './read-guidance.ts';

/** Where a run works: the repository on GitHub, its mirror on this machine, and the files that the agent edits. */
export interface Checkout extends AsyncDisposable {
  repository: Repository;
  /** Of the repository's git server; holds no credential. */
  url: string;
  bot: Bot;
  /** The job's own branch, also where it is still to be made. */
  branch: string;
  mirror: Mirror;
  /** What the run's changes lie on; the same for the whole run, also after a takeover. */
  ground: Base;
  workspace: Workspace;
  word: Guidance;
  /** What the repository's rules ask of what is pushed. */
  verdict: PushRules;
  writeRules: WriteRules;
}

/** A run at its site, for as long as the signal lets it. */
export interface RunAtSite extends HeldRun {
  site: Checkout;
  signal: AbortSignal;
}

/** What reading needs. What writing needs is minted for the minutes of publishing, not for the hours of work. */
const reading = { contents: 'read', metadata: 'read' } as const;
/** What publishing a change needs. */
export const publishingPermissions = { contents: 'write', pull_requests: 'write' } as const;

/**
 * Opens the site of a run, with the run's write set laid over its ground. What can be known to keep the run from publishing is a
 * `RunFailure` here, before anything is paid for. Throws what its parts throw.
 */
export async function openCheckout(
  parts: RunParts,
  held: HeldRun & { signal: AbortSignal },
): Promise<Checkout & { run: Run }> {
  const { database, github, git } = parts;
  const { lease, job, signal } = held;
  await using cleanup = new AsyncDisposableStack();
  const project = await requireProject(parts, job);
  await using access = await openProject(parts, { project, permissions: reading, signal });
  const repository = access.repository ?? (await access.client.fetchRepository());
  assertWritable(repository);
  if (isFirst(held)) await assertPermitted(parts, { repository, signal });
  const bot = await github.fetchBot({ token: access.token, signal });
  const branch = job.branch ?? (await nameJobBranch(parts, job));
  const url = `${parts.webUrl}/${repository.owner}/${repository.repo}.git`;
  const readAt = await readDatabaseTime(database);
  const mirror = cleanup.use(
    await parts.takeStep({ step: 'fetch', jobId: job.job_id }, () =>
      parts.mirrors.fetch({
        repositoryId: repository.repositoryId,
        url,
        token: access.token,
        runId: held.run.run_id,
        base: job.base,
        branch: job.branch,
        defaultBranch: repository.defaultBranch,
        signal,
      }),
    ),
  );
  const word = await readGuidance(parts, { project, mirror, readAt, signal });
  const verdict = await judgeBranch(parts, { ...held, access, repository, branch, mirror, bot });
  const { paths: allow } = word.settings;
  const writeRules: WriteRules = { allow: allow ?? undefined, forbid: verdict.forbid };

  const found = await findBase({ git, run: held.run, job, mirror, verdict, writeRules, signal });
  const run = found.isNew
    ? await inLease(database, lease, (tx) =>
        updateRun(tx, held.run.run_id, { ...found.change, ...warn(held.run, word) }),
      )
    : held.run;
  const ground = await prepareBase({ git, run, mirror, writeRules, signal });
  const workspace = cleanup.use(
    await parts.workspaces.open({
      runId: run.run_id,
      mirror,
      sha: ground.filesSha,
      writes: await readWrites(database, run.run_id),
      rules: writeRules,
      signal,
    }),
  );
  const kept = cleanup.move();
  const site = { run, repository, url, bot, branch, mirror, ground, workspace, word, verdict, writeRules };
  return { ...site, [Symbol.asyncDispose]: () => kept.disposeAsync() };
}

/** What is wrong with the settings is a warning of the run, which goes on with the defaults. */
const warn = ({ warnings }: Run, { problems }: Guidance) =>
  problems.length > 0 && { warnings: JSON.stringify([...warnings, ...problems]) };

async function nameJobBranch({ database }: RunParts, { job_id: jobId }: Job): Promise<string> {
  const [first] = await listMessages(database, jobId);
  return nameBranch({ jobId, prompt: first?.prompt ?? '' });
}

async function judgeBranch(
  { readBranchRules }: RunParts,
  {
    access: { client },
    repository: { repositoryId },
    job,
    run,
    branch,
    mirror,
    bot: { email },
  }: HeldRun & { access: Access; repository: Repository; branch: string; mirror: Mirror; bot: Bot },
): Promise<PushRules> {
  const judged = await judge();
  // What is being published may be pushed already.
  if (run.phase !== 'working' || judged.failure === undefined) return judged.verdict;
  // Whoever asks again may have lifted the rule that they were told of.
  readBranchRules.forget(repositoryId);
  const { verdict, failure } = await judge();
  if (failure) throw failure;
  return verdict;

  async function judge() {
    const rules = await readBranchRules(client, { repositoryId, branch });
    const baseRules = await readBranchRules(client, { repositoryId, branch: job.base, withBypassed: true });
    const verdict = evaluateRules({ rules, baseRules });
    const failure = findRuleFailure({ rules, branch, isNew: mirror.branchSha === null, email, ...verdict });
    return { verdict, failure };
  }
}

/** Nothing was done for the job yet. */
const isFirst = ({ job, run }: HeldRun) => job.pull_request_number === null && run.base_sha === null;

/** The token for reading tells nothing of what the one for publishing will be refused. */
async function assertPermitted(
  { github }: RunParts,
  { repository, signal }: { repository: Repository; signal: AbortSignal },
): Promise<void> {
  const installation = await github.findInstallationOf(repository, signal);
  const wanted = { permissions: publishingPermissions, repositoryId: undefined, cause: undefined };
  const failure = installation && findMintRefusal({ installation, ...wanted });
  if (failure) throw failure;
}

/** The job's repository, with a token for no more than `permissions`. */
export async function openJobAccess(
  parts: RunParts,
  { job, permissions, signal }: { job: Job; permissions: Permissions; signal: AbortSignal },
): Promise<Access> {
  return openProject(parts, { project: await requireProject(parts, job), permissions, signal });
}

function openProject(
  { database, github, redactor: secrets }: RunParts,
  { project, permissions, signal }: { project: Project; permissions: Permissions; signal: AbortSignal },
): Promise<Access> {
  return followTransfer({ database, github, signal }, project, (place) =>
    openAccess({ github, secrets, place: placeOf(place), permissions, signal }),
  );
}

async function requireProject({ database }: RunParts, { project_id: projectId }: Job): Promise<Project> {
  const project = await findProject(database, projectId);
  if (!project) throw new Error(`there is no project ${projectId}`);
  return project;
}

function assertWritable({ fullName, archived, disabled }: Repository): void {
  if (!archived && !disabled) return;
  const state = archived ? 'archived' : 'disabled';
  throw new RunFailure(
    `repository_${state}`,
    `${fullName} is ${state}, so it cannot be changed. Make it active again, then send the instruction again.`,
  );
}
