import { waitingFeatures } from '../../config/app-manifest.ts';
import { openDocs } from '../../docs-session/docs.ts';
import { findMergeBase } from '../../git/commits.ts';
import type { Git } from '../../git/git.ts';
import type { Mirror } from '../../git/mirrors/mirrors.ts';
import { type Remote, readBranches } from '../../git/remote.ts';
import { neededPermissions } from '../../github/auth/describe-installations.ts';
import { findMintRefusal } from '../../github/auth/mint-token.ts';
import { findMissingPermissions } from '../../github/auth/permissions.ts';
import type { Installation } from '../../github/calls/installation.ts';
import type { Repository } from '../../github/calls/repository.ts';
import type { BranchRule } from '../../github/calls/rule-calls.ts';
import { createForeignReaders } from '../../policy/judge/foreign-readers.ts';
import type { WriteRules } from '../../policy/write-rules.ts';
import type { Settings } from '../../repository/settings.ts';
import { readDatabaseTime } from '../../store/postgres/database.ts';
import { inLease } from '../../store/schedule/lease.ts';
import { listMessagesOfRun } from '../../store/tables/jobs/messages.ts';
import { addRunWarning } from '../../store/tables/jobs/runs.ts';
import { readWrites } from '../../store/tables/jobs/turns.ts';
import type { Checkout, PushRules } from '../checkout.ts';
import { RunFailure } from '../failures.ts';
import { branchFolder } from '../name-branch.ts';
import { maxInterruptions } from '../resolve-failure.ts';
import type { RunContext } from '../run-context.ts';
import { openBase } from './base-commit.ts';
import { evaluateRules, findRuleFailure } from './branch-rules.ts';
import { openRemote, publishingPermissions, type RemoteRepository, requireProject } from './job-access.ts';
import { openContextRepositories } from './open-context-repositories.ts';
import { readGuidance } from './read-guidance.ts';

/** Checks out the write set over the base commit. Throws `RunFailure` if the run could not publish: before any model call. */
export async function openCheckout(context: RunContext): Promise<Checkout> {
  const { parts, run, signals, log } = context;
  const { git, threads } = parts;
  const { run_id: runId } = run;
  const signal = signals.work;
  if (run.phase === 'working') await requireAccepted(context);
  await using cleanup = new AsyncDisposableStack();
  const project = await requireProject(context);
  await using remote = await openRemote(context, project);
  const { repository, url, bot } = remote;
  // GitHub answers these while git fetches.
  const publishable = settleIn(cleanup, assertPublishable(context, remote));
  const cached = settleIn(cleanup, listPushRules(context, remote));
  const readAt = await readDatabaseTime(parts.database);
  const mirror = cleanup.use(await fetchMirror(context, remote));
  await publishable;
  const guidance = await readGuidance(context, { project, mirror, readAt });
  const isNew = mirror.branchSha === null;
  const pushRules = await evaluatePushRules(context, remote, { cached: await cached, isNew });
  const { context: entries, checks_off: checksOff } = guidance.settings;
  const contextRepositories = cleanup.use(await openContextRepositories(context, { project, repository, entries }));
  const writeRules = toWriteRules(context, guidance.settings, pushRules);
  const base = await openBase(context, { mirror, pushRules, writeRules, problems: guidance.problems });
  const { sha, mergedBaseSha, filesSha } = base;
  const writes = await readWrites(parts.database, runId);
  const opening = { runId, mirror, sha: filesSha, writes, rules: writeRules, signal };
  const workspace = cleanup.use(await parts.workspaces.open(opening));
  const at = { git, gitDir: mirror.directory };
  // If the run merges the target, the pull request will be compared with the merged commit.
  const mergeBaseSha = mergedBaseSha ?? (await findMergeBase({ ...at, commits: [mirror.baseSha, sha], signal })) ?? sha;
  const compared = { ...at, threads, base: mergeBaseSha, head: filesSha };
  const docs = cleanup.use(openDocs({ ...compared, owner: runId, checksOff, log }));
  const resources = cleanup.move();
  return {
    ...{ repository, url, bot, guidance, pushRules, writeRules, contextRepositories },
    ...{ mirror, base, mergeBaseSha, workspace, docs },
    [Symbol.asyncDispose]: () => resources.disposeAsync(),
  };
}

/** Work that goes on beside other work: the scope waits for it, also where it ends early. Its error comes where it is awaited. */
function settleIn<T>(scope: AsyncDisposableStack, work: Promise<T>): Promise<T> {
  const settled = Promise.allSettled([work]);
  scope.defer(async () => void (await settled));
  return work;
}

function fetchMirror(
  { parts, job, run, signals, takeStep }: RunContext,
  { repository: { repositoryId, defaultBranch, bytes }, url, token }: RemoteRepository,
): Promise<Mirror> {
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

function toWriteRules(
  { parts, run, signals }: RunContext,
  { paths, also, generated }: Settings,
  { forbid }: PushRules,
): WriteRules {
  const inThread = { signal: signals.publish, owner: run.run_id };
  const readers = createForeignReaders((task, input) => parts.threads.run(task, input, inThread));
  return { allow: paths ?? undefined, also, generated, forbid, readers };
}

/** Throws `RunFailure` if people asked where Pagewright cannot work, such as on a fork: the end of the run tells them. */
async function requireAccepted({ parts: { database }, run }: RunContext): Promise<void> {
  const messages = await listMessagesOfRun(database, run.run_id);
  const refusals = messages.map(({ context }) => context?.conversation?.refusal);
  const [first] = refusals;
  if (first && refusals.every((refusal) => refusal !== undefined)) throw new RunFailure(first.code, first.sentence);
}

interface BranchRules {
  rules: BranchRule[];
  baseRules: BranchRule[];
}

/** The rules as they were at most some minutes ago. */
async function listPushRules(
  { parts: { readBranchRules }, job }: RunContext,
  { client, repository: { repositoryId }, branch }: RemoteRepository,
): Promise<BranchRules> {
  return {
    rules: await readBranchRules(client, { repositoryId, branch }),
    baseRules: await readBranchRules(client, { repositoryId, branch: job.base, withBypassed: true }),
  };
}

/** Throws `RunFailure` `branch_rules` where the rules refuse every push, unless the run may have pushed already. */
async function evaluatePushRules(
  context: RunContext,
  remote: RemoteRepository,
  { cached, isNew }: { cached: BranchRules; isNew: boolean },
): Promise<PushRules> {
  const { branch, bot, repository } = remote;
  const evaluate = ({ rules, baseRules }: BranchRules) => {
    const pushRules = evaluateRules({ rules, baseRules });
    return {
      pushRules,
      failure: findRuleFailure(rules, { branch, isNew, email: bot.email, isSigned: pushRules.isSigned }),
    };
  };
  const first = evaluate(cached);
  if (context.run.phase !== 'working' || first.failure === undefined) return first.pushRules;
  // Somebody may have lifted the rule after the last failure.
  context.parts.readBranchRules.forget(repository.repositoryId);
  const { pushRules, failure } = evaluate(await listPushRules(context, remote));
  if (failure) throw failure;
  return pushRules;
}

/** Before the first run of a job: later ones have published. Throws what publishing would throw, before any model call. */
async function assertPublishable(context: RunContext, remote: RemoteRepository): Promise<void> {
  const { parts, job, run, signals } = context;
  if (job.pull_request_number !== null || run.base_sha !== null) return;
  await assertPermitted(context, remote.repository);
  await requireFreeName(parts.git, remote, signals.work);
}

/** A read token does not show whether the installation grants the permissions for publishing. */
async function assertPermitted({ parts, lease, run, signals }: RunContext, repository: Repository): Promise<void> {
  const installation = await parts.github.findInstallationOf(repository, signals.work);
  const needed = { permissions: publishingPermissions, repositoryId: undefined, cause: undefined };
  const failure = installation && findMintRefusal({ installation, ...needed });
  if (failure) throw failure;
  const waiting = installation && describeWaiting(installation);
  if (waiting !== undefined) await inLease(parts.database, lease, (tx) => addRunWarning(tx, run.run_id, waiting));
}

/** What waits until an owner accepts permissions that the App did not always ask for. All else works. */
export function describeWaiting({ account, permissions }: Installation): string | undefined {
  const waiting = findMissingPermissions(neededPermissions, permissions).flatMap((missing) => {
    const feature = waitingFeatures[missing.split('=', 1)[0] ?? ''];
    return feature === undefined ? [] : [`\`${missing.replace('=', ': ')}\` (${feature})`];
  });
  if (waiting.length === 0) return undefined;
  return `${account} does not grant these permissions yet, and what needs them waits: ${waiting.join(', ')}. An owner accepts them in the settings of the installation on GitHub.`;
}

/** git keeps a branch in a file of its name, so none can lie below another one. Throws `RunFailure` `branch_in_the_way`. */
async function requireFreeName(git: Git, remote: Remote, signal: AbortSignal): Promise<void> {
  const found = await readBranches({ git, remote, branches: [branchFolder], signal });
  if (!found.has(branchFolder)) return;
  throw new RunFailure(
    'branch_in_the_way',
    `The repository has a branch named ${branchFolder}, so no branch ${branchFolder}/… can be created beside it. Rename or delete that branch, then send the instruction again.`,
  );
}
