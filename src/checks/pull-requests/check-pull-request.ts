import type { Checked } from '../../docs/check-change.ts';
import { isDocumentation } from '../../docs/is-documentation.ts';
import { openDocs } from '../../docs-session/docs.ts';
import { findMergeBase } from '../../git/commits.ts';
import { GitRefusal } from '../../git/errors.ts';
import type { Git } from '../../git/git.ts';
import type { Mirrors } from '../../git/mirrors/mirrors.ts';
import { annotationsPerRequest, type CheckOutput } from '../../github/calls/check-calls.ts';
import type { RepositoryClient } from '../../github/calls/repository-client.ts';
import { GitHubUnavailable } from '../../github/refusals/errors.ts';
import { GitHubRefusal } from '../../github/refusals/github-refusal.ts';
import { findWait } from '../../projects/find-wait.ts';
import { parseQueueBranch } from '../../repository/is-branch-name.ts';
import { readStoredSettings, type Settings } from '../../repository/settings.ts';
import type { Store } from '../../store/store.ts';
import { findProject, type Project } from '../../store/tables/repositories/projects.ts';
import type { PullRequestHead } from '../../store/tables/repositories/pull-request-checks.ts';
import {
  findPullRequestCheck,
  finishPullRequestCheck,
  listWaitingChecks,
  noDocumentation,
  type PullRequestCheck,
  replacedHead,
} from '../../store/tables/repositories/pull-request-checks.ts';
import type { Threads } from '../../threads/threads.ts';
import type { CheckParts } from '../check-parts.ts';
import { checkName, type WrittenCheck, writeCheck } from './write-check.ts';

interface PullRequestCheckParts extends CheckParts {
  git: Git;
  mirrors: Mirrors;
  threads: Threads;
  /** Of git, for people: https://github.com. */
  webUrl: string;
}

/** Checks the documentation of a pull request and adds a check run to its head, once. Returns when to try again while GitHub is down or limits requests. */
export async function checkPullRequest(
  parts: PullRequestCheckParts,
  entry: PullRequestHead,
  signal: AbortSignal,
): Promise<Date | undefined> {
  const { database, takeStep, log } = parts;
  const row = await findPullRequestCheck(database, entry);
  if (row?.state !== 'waiting') return undefined;
  const finish = (result: Parameters<typeof finishPullRequestCheck>[2]) =>
    finishPullRequestCheck(database, row, result);
  try {
    const project = await findProject(database, entry.projectId);
    const { checks: mode, checks_off: checksOff } = readStoredSettings(project?.settings);
    if (!project || project.removed_at || mode === 'off') await finish({ reason: 'nobody asks for it' });
    else if (!row.isNewest) await finish({ reason: replacedHead });
    else {
      const result = await takeStep({ step: 'check pull request' }, () =>
        check(parts, { project, row, mode, checksOff }, signal),
      );
      if (result === 'moved') {
        if (row.ageMs < refsAgreeWithinMs) return new Date(Date.now() + askRefsAgainMs);
        await finish({ reason: replacedHead });
      } else await takeStep({ step: 'record pull request check' }, () => finish(result));
    }
    return undefined;
  } catch (error) {
    if (error instanceof GitHubRefusal && error.reason !== 'installation_suspended') {
      log.warn({ err: error, ...entry }, 'could not check a pull request');
      await finish({ reason: error.message });
      return undefined;
    }
    const until = findWait(error, { ageMs: row.ageMs });
    if (!until) throw error;
    return until;
  }
}

/** Git may show a push later than its webhook: by then another push has told of itself. */
const refsAgreeWithinMs = 60_000;
const askRefsAgainMs = 3_000;

interface Check {
  project: Project;
  row: PullRequestCheck & { ageMs: number };
  mode: 'advise' | 'require';
  checksOff: Settings['checks_off'];
}

async function check(
  parts: PullRequestCheckParts,
  { project, row, mode, checksOff }: Check,
  signal: AbortSignal,
): Promise<{ checkRunId: number } | { reason: string } | 'moved'> {
  const { openProject } = parts;
  await using access = await openProject(project, { checks: 'write', contents: 'read', pull_requests: 'read' }, signal);
  const { client, token } = access;
  if (!touchesDocumentation(await client.listPullRequestFiles(row.number))) {
    if (mode === 'advise') return { reason: noDocumentation };
    // A required check that never comes would hold up the merge.
    return { checkRunId: await postCheck(client, row, untouched) };
  }
  const checked = await readProblems(parts, { project, row, mode, checksOff, token }, signal).catch(
    (error: unknown) => {
      const { ageMs } = row;
      const isLastTry = ageMs > parts.timing.checks.triesMs && findWait(error, { ageMs }) === undefined;
      // No later try can read the repository. A required check that never comes would hold up the merge.
      if (signal.aborted || !(error instanceof GitRefusal || isLastTry)) throw error;
      parts.log.warn({ err: error, number: row.number }, 'could not check a pull request');
      return undefined;
    },
  );
  if (checked === 'moved') return 'moved';
  return { checkRunId: await postCheck(client, row, writeCheck(checked, { mode })) };
}

const untouched: WrittenCheck = {
  conclusion: 'skipped',
  title: 'No documentation',
  summary: 'This pull request does not touch the documentation.',
  annotations: [],
};

/** `moved`: git shows another head. */
async function readProblems(
  { git, mirrors, threads, webUrl, log }: PullRequestCheckParts,
  { project, row, checksOff, token }: Check & { token: string },
  signal: AbortSignal,
): Promise<Checked | undefined | 'moved'> {
  const { owner, repo, repository_id: repositoryId } = project;
  const { number, sha } = row;
  const queued = parseQueueBranch(row.base);
  const base = queued?.base ?? row.base;
  const url = `${webUrl}/${owner}/${repo}.git`;
  const branch = queued ? row.base : `refs/pull/${number}/head`;
  const runId = `check-${number}-${sha.slice(0, 12)}`;
  await using mirror = await mirrors.fetch({ repositoryId, url, token, runId, base, branch, signal });
  // Every pull request has this ref: the fetch failed for another reason, and nobody pushed.
  if (mirror.branchSha === null && !queued)
    throw new GitHubUnavailable(`git shows no head of pull request ${number} of ${owner}/${repo}`);
  if (mirror.branchSha !== sha) return 'moved';
  const gitDir = mirror.directory;
  const from = await findMergeBase({ git, gitDir, commits: [mirror.baseSha, sha], signal });
  // One at a time: other work needs the threads, too.
  await using docs = openDocs({
    threads,
    git,
    gitDir,
    base: from ?? mirror.baseSha,
    head: sha,
    owner: 'pull requests',
    checksOff,
    log,
  });
  return await docs.check(new Map(), { signal });
}

const lostAfterMs = 10 * 60_000;

/** Sends again what has waited for long without an entry in the queue. */
export async function resendPullRequestChecks({ database, queue }: Store, signal: AbortSignal): Promise<void> {
  for (const head of await listWaitingChecks({ database, queue }, { forMs: lostAfterMs, limit: 1_000 })) {
    signal.throwIfAborted();
    await queue.send(database, 'check', head);
  }
}

/** GitHub lists no more of a pull request: https://docs.github.com/en/rest/pulls/pulls#list-pull-requests-files */
const maxListed = 3_000;

/** Whether the files of a pull request, as GitHub lists them, have documentation, or may have it among those that are not listed. */
export const touchesDocumentation = (files: readonly { path: string; previousPath: string | null }[]): boolean =>
  files.length >= maxListed ||
  files.some(
    ({ path, previousPath }) => isDocumentation(path) || (previousPath !== null && isDocumentation(previousPath)),
  );

/**
 * Adds the check run to its commit, once for each attempt: looks for it first, adopts it, and adds what it lacks. It is in progress until it has all
 * annotations. Returns its id.
 */
async function postCheck(
  client: RepositoryClient,
  { number, sha, attempt }: PullRequestCheck,
  { conclusion, title, summary, annotations }: WrittenCheck,
): Promise<number> {
  const externalId = `${number}:${attempt}`;
  const part = (from: number): { conclusion: typeof conclusion | undefined; output: CheckOutput } => {
    const end = from + annotationsPerRequest;
    const output = { title, summary, annotations: annotations.slice(from, end) };
    return { conclusion: end >= annotations.length ? conclusion : undefined, output };
  };
  const found = await client.findOwnCheckRun(sha, { name: checkName, externalId });
  if (found?.isFinished) return found.checkRunId;
  const checkRunId =
    found?.checkRunId ?? (await client.createCheckRun({ name: checkName, sha, externalId, ...part(0) }));
  let told = found?.annotations ?? Math.min(annotations.length, annotationsPerRequest);
  if (found && told >= annotations.length) await client.updateCheckRun(checkRunId, part(annotations.length));
  for (; told < annotations.length; told += annotationsPerRequest) await client.updateCheckRun(checkRunId, part(told));
  return checkRunId;
}
