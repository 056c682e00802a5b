import { z } from 'zod';
import type { ContextEntry, ReadyRepository } from '../../context/context-repository.ts';
import { resolveContext, storeResolved } from '../../context/resolve-context.ts';
import { openDocs } from '../../docs-session/docs.ts';
import { hasCommit } from '../../git/commits.ts';
import { GitRefusal } from '../../git/errors.ts';
import type { Mirror } from '../../git/mirrors/mirrors.ts';
import { openAccess } from '../../github/auth/open-access.ts';
import type { Repository } from '../../github/calls/repository.ts';
import { GitHubRefusal } from '../../github/refusals/github-refusal.ts';
import { inLease } from '../../store/schedule/lease.ts';
import { addRunWarning, findRun, updateRun } from '../../store/tables/jobs/runs.ts';
import type { Project } from '../../store/tables/repositories/projects.ts';
import { openCommitFiles, prefixFiles } from '../../workspace/commit-files.ts';
import type { ContextRepositories, OpenRepository } from '../checkout.ts';
import { findFailedEnd } from '../failures.ts';
import type { RunContext } from '../run-context.ts';
import { openRunAccess } from './job-access.ts';

/** The commits that a run reads. */
const storedSchema = z.array(z.object({ name: z.string(), repositoryId: z.number(), sha: z.string() }));

const reading = { contents: 'read' } as const;

/** For a run that only publishes what is frozen. */
const noContextRepositories: ContextRepositories = {
  opened: [],
  names: [],
  findObstacle: async () => undefined,
  async [Symbol.asyncDispose]() {},
};

/** One that may not be read, or cannot be fetched, is a warning of the run, which goes on without it. */
export async function openContextRepositories(
  context: RunContext,
  { project, repository, entries }: { project: Project; repository: Repository; entries: readonly ContextEntry[] },
): Promise<ContextRepositories> {
  const { parts, run, signals } = context;
  const { database } = parts;
  if (run.phase !== 'working') return noContextRepositories;
  await using cleanup = new AsyncDisposableStack();
  const documentation = {
    projectId: project.project_id,
    repository,
    client: {
      isNameOf: async (name: string) => {
        await using access = await openRunAccess(context, project, { metadata: 'read' }, signals.work);
        return await access.client.isNameOf(name);
      },
    },
  };
  const resolving = { database, github: parts.github, secrets: parts.redactor, runTask: context.runTask };
  const resolve = (some: readonly ContextEntry[], signal: AbortSignal) =>
    resolveContext(resolving, documentation, some, signal);
  const warn = async (problem: string) => {
    context.run = await inLease(database, context.lease, async (tx) => {
      await addRunWarning(tx, run.run_id, problem);
      return (await findRun(tx, run.run_id)) ?? run;
    });
  };

  const found = await resolve(entries, signals.work);
  await storeResolved(database, project.project_id, found);
  const known = storedSchema.nullable().parse(run.context) ?? [];
  const opened: OpenRepository[] = [];
  for (const [index, each] of found.entries()) {
    const entry = entries[index];
    if (each.state !== 'ready') await warn(each.problem);
    if (each.state !== 'ready' || entry === undefined) continue;
    const { repositoryId } = each.repository;
    const sha = known.find((one) => one.repositoryId === repositoryId)?.sha;
    const open = await openRepository(context, { ready: each, entry, sha }, cleanup);
    if (typeof open === 'string') await warn(open);
    else opened.push(open);
  }
  if (opened.length > 0) await storeCommits(context, opened);

  const confirmed = new Map(opened.map((each) => [each, performance.now()]));
  async function findObstacle(each: OpenRepository, signal: AbortSignal): Promise<string | undefined> {
    const at = confirmed.get(each) ?? 0;
    if (performance.now() - at < parts.timing.context.consentHoldsMs) return undefined;
    const [now] = await resolve([each.entry], signal);
    if (now?.state === 'ready') {
      each.repository = now.repository;
      confirmed.set(each, performance.now());
      return undefined;
    }
    const problem = now?.problem ?? `${each.name} may no longer be read.`;
    await warn(problem);
    return problem;
  }

  const resources = cleanup.move();
  return {
    opened,
    names: [...entries.map((entry) => entry.repository), ...opened.map((each) => each.repository.fullName)],
    findObstacle,
    [Symbol.asyncDispose]: () => resources.disposeAsync(),
  };
}

/** Or why it is not read, for people. */
async function openRepository(
  context: RunContext,
  { ready, entry, sha }: { ready: ReadyRepository; entry: ContextEntry; sha: string | undefined },
  scope: AsyncDisposableStack,
): Promise<OpenRepository | string> {
  const { parts, run, signals, log } = context;
  const { git, threads } = parts;
  const signal = signals.work;
  try {
    const mirror = scope.use(await fetchMirror(context, { ready, entry, sha }));
    const gitDir = mirror.directory;
    // A force-push may have taken the commit away that an earlier attempt read.
    const isKept = sha !== undefined && (await hasCommit({ git, gitDir, sha, signal }));
    const commit = isKept ? sha : mirror.baseSha;
    const plainFiles = await openCommitFiles({
      git,
      gitDir,
      sha: commit,
      paths: entry.paths,
      findSecrets: (text) => parts.scanText(text, { signal, owner: run.run_id }),
      signal,
    });
    const docs = scope.use(openDocs({ git, gitDir, threads, base: commit, head: commit, owner: run.run_id, log }));
    const prefix = `@${ready.repository.fullName}`;
    const files = prefixFiles(plainFiles, prefix);
    const { name, repository } = ready;
    return { name, entry, repository, sha: commit, prefix, files, plainFiles, docs };
  } catch (error) {
    if (!(error instanceof GitRefusal) && !(error instanceof GitHubRefusal)) throw error;
    const why = findFailedEnd(error)?.sentence ?? error.message;
    return `${ready.name} is not read. ${why}`;
  }
}

/** Fetches with a token for this repository alone. */
async function fetchMirror(
  { parts, run, signals, takeStep }: RunContext,
  { ready, entry, sha }: { ready: ReadyRepository; entry: ContextEntry; sha: string | undefined },
): Promise<Mirror> {
  const { found: location, repository } = ready;
  const { repositoryId, owner, repo, defaultBranch, bytes } = repository;
  const signal = signals.work;
  const { github, redactor: secrets } = parts;
  await using access = await openAccess({ github, secrets, location, permissions: reading, signal });
  const { token } = access;
  return await takeStep('fetch context', () =>
    parts.mirrors.fetch({
      repositoryId,
      url: `${parts.webUrl}/${owner}/${repo}.git`,
      token,
      runId: run.run_id,
      base: entry.ref ?? defaultBranch,
      branch: null,
      bytes,
      alsoRead: [sha ?? null],
      signal,
    }),
  );
}

/** A takeover reads the same commits. */
async function storeCommits(context: RunContext, opened: readonly OpenRepository[]): Promise<void> {
  const { parts, lease, run } = context;
  const stored = opened.map(({ name, sha, repository: { repositoryId } }) => ({ name, repositoryId, sha }));
  context.run = await inLease(parts.database, lease, (tx) =>
    updateRun(tx, run.run_id, { context: JSON.stringify(stored) }),
  );
}
