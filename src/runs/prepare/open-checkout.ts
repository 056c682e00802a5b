import { openDocs } from '../../docs-session/docs.ts';
import { findMergeBase } from '../../git/commits.ts';
import type { Mirror } from '../../git/mirrors/mirrors.ts';
import { createForeignReaders } from '../../policy/judge/foreign-readers.ts';
import type { WriteRules } from '../../policy/write-rules.ts';
import type { Settings } from '../../repository/settings.ts';
import { readDatabaseTime } from '../../store/postgres/database.ts';
import { listMessagesOfRun } from '../../store/tables/jobs/messages.ts';
import { readWrites } from '../../store/tables/jobs/turns.ts';
import type { Base, Checkout, PushRules } from '../checkout.ts';
import { maxInterruptions } from '../classify-error.ts';
import { RunFailure } from '../failures.ts';
import type { RunContext } from '../run-context.ts';
import { assertPublishable } from './assert-publishable.ts';
import { openBase } from './base-commit.ts';
import { requireProject } from './job-access.ts';
import { openContextRepositories } from './open-context-repositories.ts';
import { openRemote, type RemoteRepository } from './open-remote.ts';
import { readGuidance } from './read-guidance.ts';
import { evaluatePushRules, listPushRules } from './read-push-rules.ts';

/** Checks out the write set over the base commit. Throws `RunFailure` if the run could not publish: before any model call. */
export async function openCheckout(context: RunContext): Promise<Checkout> {
  if (context.run.phase === 'working') await requireAccepted(context);
  await using cleanup = new AsyncDisposableStack();
  const project = await requireProject(context);
  await using remote = await openRemote(context, project);
  const { repository, url, bot } = remote;
  // GitHub answers these while git fetches.
  const publishable = settleIn(cleanup, assertPublishable(context, remote));
  const cached = settleIn(cleanup, listPushRules(context, remote));
  const readAt = await readDatabaseTime(context.parts.database);
  const mirror = cleanup.use(await fetchMirror(context, remote));
  await publishable;
  const guidance = await readGuidance(context, { project, mirror, readAt });
  const isNew = mirror.branchSha === null;
  const pushRules = await evaluatePushRules(context, remote, { cached: await cached, isNew });
  const entries = guidance.settings.context;
  const contextRepositories = cleanup.use(await openContextRepositories(context, { project, repository, entries }));
  const writeRules = toWriteRules(context, guidance.settings, pushRules);
  const base = await openBase(context, { mirror, pushRules, writeRules, problems: guidance.problems });
  const workspace = cleanup.use(await openWorkspace(context, { mirror, base, writeRules }));
  const mergeBaseSha = await findMergeBaseSha(context, { mirror, base });
  const docs = cleanup.use(openRunDocs(context, { mirror, base, mergeBaseSha, settings: guidance.settings }));
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

async function openWorkspace(
  { parts, run: { run_id: runId }, signals }: RunContext,
  { mirror, base, writeRules: rules }: { mirror: Mirror; base: Base; writeRules: WriteRules },
) {
  const writes = await readWrites(parts.database, runId);
  return parts.workspaces.open({ runId, mirror, sha: base.filesSha, writes, rules, signal: signals.work });
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
  { mirror, base, mergeBaseSha, settings }: { mirror: Mirror; base: Base; mergeBaseSha: string; settings: Settings },
) {
  const [gitDir, checksOff] = [mirror.directory, settings.checks_off];
  return openDocs({ git, gitDir, threads, base: mergeBaseSha, head: base.filesSha, owner: run.run_id, checksOff, log });
}

/** Throws `RunFailure` if people asked where Pagewright cannot work, such as on a fork: the end of the run tells them. */
async function requireAccepted({ parts: { database }, run }: RunContext): Promise<void> {
  const messages = await listMessagesOfRun(database, run.run_id);
  const refusals = messages.map(({ context }) => context?.conversation?.refusal);
  const [first] = refusals;
  if (first && refusals.every((refusal) => refusal !== undefined)) throw new RunFailure(first.code, first.sentence);
}
