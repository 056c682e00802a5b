import { type Docs, openDocs } from '../../docs-session/docs.ts';
import { findMergeBase } from '../../git/commits.ts';
import type { Mirror } from '../../git/mirrors/mirrors.ts';
import { findMintRefusal } from '../../github/auth/mint-token.ts';
import type { Repository } from '../../github/calls/repository.ts';
import type { RepositoryClient } from '../../github/calls/repository-client.ts';
import type { BranchRule } from '../../github/calls/rule-calls.ts';
import { createForeignReaders } from '../../policy/judge/foreign-readers.ts';
import type { WriteRules } from '../../policy/write-rules.ts';
import { readDatabaseTime } from '../../store/postgres/database.ts';
import { inLease } from '../../store/schedule/lease.ts';
import { listRuns, updateRun } from '../../store/tables/jobs/runs.ts';
import { readWrites } from '../../store/tables/jobs/turns.ts';
import type { ColumnChange } from '../../store/tables/schema.ts';
import type { Base, Checkout, PushRules } from '../checkout.ts';
import { maxInterruptions } from '../classify-error.ts';
import { RunFailure } from '../failures.ts';
import { chooseBranch } from '../name-branch.ts';
import type { RunContext } from '../run-context.ts';
import { findBase, prepareBase } from './base-commit.ts';
import { evaluateRules, findRuleFailure } from './evaluate-rules.ts';
import { openProjectAccess, publishingPermissions, requireProject } from './job-access.ts';
import { noContextRepositories, openContextRepositories } from './open-context-repositories.ts';
import { readGuidance } from './read-guidance.ts';
import { requireFreeName } from './require-free-name.ts';

const reading = { contents: 'read', metadata: 'read' } as const;

/** Checks out the write set over the base commit. Throws `RunFailure` if the run could not publish: before any model call. */
export async function openCheckout(context: RunContext): Promise<Checkout> {
  const { parts, job, signals } = context;
  const { database, git } = parts;
  const signal = signals.work;
  await using cleanup = new AsyncDisposableStack();
  const project = await requireProject(parts, job);
  await using access = await openProjectAccess(parts, { project, permissions: reading, signal });
  const repository = access.repository ?? (await access.client.fetchRepository());
  assertWritable(repository);
  // GitHub answers these while git fetches.
  const permitted = settleIn(cleanup, isFirst(context) ? assertPermitted(context, repository) : Promise.resolve());
  const bot = await parts.github.fetchBot({ token: access.token, signal });
  // The title comes at the end. Until then any name will do: the rules of pagewright/** apply to each.
  const branch = chooseBranch(job, await listRuns(database, job.job_id), '');
  const url = `${parts.webUrl}/${repository.owner}/${repository.repo}.git`;
  const asked = { client: access.client, repositoryId: repository.repositoryId, branch };
  const rules = settleIn(cleanup, listPushRules(context, asked));
  const isFree = settleIn(
    cleanup,
    isFirst(context) ? requireFreeName(git, { url, token: access.token }, signal) : Promise.resolve(),
  );
  const readAt = await readDatabaseTime(database);
  const mirror = cleanup.use(await fetchMirror(context, { repository, url, token: access.token }));
  await permitted;
  await isFree;
  const guidance = await readGuidance(context, { project, mirror, readAt });
  const pushRules = await evaluatePushRules(context, await rules, {
    ...asked,
    isNew: mirror.branchSha === null,
    email: bot.email,
  });
  const { paths, also, generated } = guidance.settings;
  const contextRepositories = cleanup.use(
    context.run.phase === 'working'
      ? await openContextRepositories(context, { project, repository, entries: guidance.settings.context })
      : noContextRepositories,
  );
  const inThread = { signal: signals.publish, owner: context.run.run_id };
  const writeRules: WriteRules = {
    allow: paths ?? undefined,
    also,
    generated,
    forbid: pushRules.forbid,
    readers: createForeignReaders((task, input) => parts.threads.run(task, input, inThread)),
  };

  const inMirror = { git, mirror, writeRules, signal };
  const found = await findBase(inMirror, { run: context.run, target: job.base, pushRules });
  if (found.isNew) await storeBase(context, found.change, guidance.problems);
  const { run } = context;
  const base = await prepareBase(inMirror, run);
  const writes = await readWrites(database, run.run_id);
  const opened = { runId: run.run_id, mirror, sha: base.filesSha, writes, rules: writeRules, signal };
  const workspace = cleanup.use(await parts.workspaces.open(opened));
  const mergeBaseSha = await findMergeBaseSha(context, { mirror, base });
  const docs = cleanup.use(openRunDocs(context, { mirror, base, mergeBaseSha }));
  const resources = cleanup.move();
  return {
    repository,
    url,
    bot,
    mirror,
    base,
    mergeBaseSha,
    workspace,
    docs,
    guidance,
    pushRules,
    writeRules,
    contextRepositories,
    [Symbol.asyncDispose]: () => resources.disposeAsync(),
  };
}

/** If the run merges the target, the pull request will be compared with the merged commit. */
async function findMergeBaseSha(
  { parts: { git }, signals }: RunContext,
  { mirror, base }: { mirror: Mirror; base: Base },
): Promise<string> {
  const commits = [mirror.baseSha, base.sha] as const;
  const inMirror = { git, gitDir: mirror.directory, signal: signals.work };
  return base.mergedBaseSha ?? (await findMergeBase({ ...inMirror, commits })) ?? base.sha;
}

function openRunDocs(
  { parts: { git, threads }, run, log }: RunContext,
  { mirror, base, mergeBaseSha }: { mirror: Mirror; base: Base; mergeBaseSha: string },
): Docs {
  const gitDir = mirror.directory;
  return openDocs({ git, gitDir, threads, base: mergeBaseSha, head: base.filesSha, owner: run.run_id, log });
}

function fetchMirror(
  { parts, job, run, signals, takeStep }: RunContext,
  { repository, url, token }: { repository: Repository; url: string; token: string },
): Promise<Mirror> {
  const { repositoryId, defaultBranch, bytes } = repository;
  const { base, branch } = job;
  return takeStep('fetch', () =>
    parts.mirrors.fetch({
      repositoryId,
      url,
      token,
      runId: run.run_id,
      base,
      branch,
      defaultBranch,
      bytes,
      alsoRead: [run.base_sha, run.merged_base_sha],
      mustBeWhole: run.takeovers >= maxInterruptions - 1,
      signal: signals.work,
    }),
  );
}

/** Also stores mistakes in the settings as warnings. */
async function storeBase(context: RunContext, change: ColumnChange<'runs'>, problems: string[]): Promise<void> {
  const { parts, lease, run } = context;
  const warned = problems.length > 0 && { warnings: JSON.stringify([...run.warnings, ...problems]) };
  context.run = await inLease(parts.database, lease, (tx) => updateRun(tx, run.run_id, { ...change, ...warned }));
}

interface Branch {
  client: RepositoryClient;
  repositoryId: number;
  branch: string;
}

interface BranchRules {
  rules: BranchRule[];
  baseRules: BranchRule[];
}

async function listPushRules(
  { parts: { readBranchRules }, job }: RunContext,
  { client, repositoryId, branch }: Branch,
): Promise<BranchRules> {
  return {
    rules: await readBranchRules(client, { repositoryId, branch }),
    baseRules: await readBranchRules(client, { repositoryId, branch: job.base, withBypassed: true }),
  };
}

/** Throws `RunFailure` `branch_rules` where the rules refuse every push, unless the run may have pushed already. */
async function evaluatePushRules(
  context: RunContext,
  cached: BranchRules,
  branch: Branch & { isNew: boolean; email: string },
): Promise<PushRules> {
  const evaluate = ({ rules, baseRules }: BranchRules) => {
    const pushRules = evaluateRules({ rules, baseRules });
    return { pushRules, failure: findRuleFailure(rules, { ...branch, isSigned: pushRules.isSigned }) };
  };
  const first = evaluate(cached);
  if (context.run.phase !== 'working' || first.failure === undefined) return first.pushRules;
  // Somebody may have lifted the rule after the last failure.
  context.parts.readBranchRules.forget(branch.repositoryId);
  const { pushRules, failure } = evaluate(await listPushRules(context, branch));
  if (failure) throw failure;
  return pushRules;
}

/** Work that goes on beside other work: the scope waits for it, also where it ends early. Its error comes where it is awaited. */
function settleIn<T>(scope: AsyncDisposableStack, work: Promise<T>): Promise<T> {
  const settled = Promise.allSettled([work]);
  scope.defer(async () => void (await settled));
  return work;
}

const isFirst = ({ job, run }: RunContext) => job.pull_request_number === null && run.base_sha === null;

/** A read token does not show whether the installation grants the permissions for publishing. */
async function assertPermitted({ parts, signals }: RunContext, repository: Repository): Promise<void> {
  const installation = await parts.github.findInstallationOf(repository, signals.work);
  const needed = { permissions: publishingPermissions, repositoryId: undefined, cause: undefined };
  const failure = installation && findMintRefusal({ installation, ...needed });
  if (failure) throw failure;
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
