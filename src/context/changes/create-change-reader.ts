import type { FileDiff } from '../../file-diff.ts';
import { openAccess } from '../../github/auth/open-access.ts';
import type { Repository } from '../../github/calls/repository.ts';
import { GitHubRefusal } from '../../github/refusals/github-refusal.ts';
import { askGitHub } from '../../projects/ask-github.ts';
import type { OpenProject } from '../../projects/open-project.ts';
import { fetchSettings } from '../../projects/read-repository-settings.ts';
import { readStoredSettings, type Settings, settingsPath } from '../../repository/settings.ts';
import type { FoundChange, NamedPullRequest } from '../../store/tables/columns.ts';
import { listContextRows } from '../../store/tables/repositories/context-repositories.ts';
import { findProject, type Project, toRepositoryLocation } from '../../store/tables/repositories/projects.ts';
import { bound } from '../../text/bound.ts';
import { withoutInvisible } from '../../text/invisible.ts';
import { stripHiddenInThread } from '../../text/read-in-thread.ts';
import { storable } from '../../text/storable.ts';
import { runFor, type Threads } from '../../threads/threads.ts';
import { realTiming } from '../../timing.ts';
import { type ContextParts, resolveContext } from '../resolve-context.ts';
import { findNamedChanges, maxNamedChanges, type NamedChange, toReference } from './find-named-changes.ts';

interface ChangeParts extends ContextParts {
  openProject: OpenProject;
  threads: { run: Threads['run'] };
  /** For people: https://github.com. */
  webUrl: string;
}

interface Asked {
  projectId: string;
  signal: AbortSignal;
}

export type ChangeReader = ReturnType<typeof createChangeReader>;

const reading = { pull_requests: 'read' } as const;

const maxFiles = 1_000;
/** One pull request has at most so many. */
const maxPatchCharacters = 2 * 1024 ** 2;
const maxBodyLength = 20_000;
const maxTitleLength = 300;

/** Reads pull requests of a project's repository, or of its context repositories that consent. One that may not be read is of kind `unread`. */
export function createChangeReader(parts: ChangeParts) {
  async function readAll(named: readonly NamedChange[], { projectId, signal }: Asked): Promise<NamedPullRequest[]> {
    if (named.length === 0) return [];
    const project = await findProject(parts.database, projectId);
    if (!project) return [];
    const findSource = createSourceFinder(parts, project, signal);
    const changes: NamedPullRequest[] = [];
    for (const each of named) {
      const source = await findSource(each);
      changes.push(
        'problem' in source ? unread(each, source.problem) : await fetchChange(parts, { ...each, source }, signal),
      );
    }
    return changes;
  }

  /** Those that an instruction names. Throws as `read`. */
  async function readNamed(prompt: string, asked: Asked): Promise<NamedPullRequest[]> {
    const { named, more } = findNamedChanges(prompt, parts);
    const changes = await readAll(named, asked);
    return more === 0 ? changes : [...changes, tooMany(more)];
  }

  return {
    isNamedIn: (prompt: string): boolean => findNamedChanges(prompt, parts).named.length > 0,
    /** Throws where GitHub does not answer, or limits requests. */
    read: async (named: NamedChange, asked: Asked): Promise<NamedPullRequest> =>
      (await readAll([named], asked))[0] ?? unread(named, 'The project is gone.'),
    /** One of a repository that agreed just now. Throws as `read`. */
    readFrom: (source: Source, number: number, signal: AbortSignal): Promise<NamedPullRequest> =>
      fetchChange(parts, { ...source, number, source }, signal),
    readNamed,
    /** Those that an instruction names, while its sender waits. None where GitHub does not answer soon: the run reads them then. */
    async readAtOnce(prompt: string, { projectId, signal }: Asked): Promise<NamedPullRequest[]> {
      if (findNamedChanges(prompt, parts).named.length === 0) return [];
      const soon = AbortSignal.any([signal, AbortSignal.timeout(realTiming.http.githubMs)]);
      const asked = await askGitHub(() => readNamed(prompt, { projectId, signal: soon }));
      return asked.kind === 'answered' ? asked.result : [];
    },
  };
}

const unread = (named: NamedChange, why: string): NamedPullRequest => {
  const reference = toReference(named);
  return { kind: 'unread', reference, problem: `${reference} was not handed to the agent. ${why}` };
};

const tooMany = (more: number): NamedPullRequest => ({
  kind: 'unread',
  reference: `${more} more`,
  problem: `Only the first ${maxNamedChanges} pull requests that an instruction names are handed to the agent. Name the others in another one.`,
});

interface Source {
  installationId: number;
  repositoryId: number;
  owner: string;
  repo: string;
}

/** Asks for the consent of each context repository once. */
function createSourceFinder(parts: ChangeParts, project: Project, signal: AbortSignal) {
  const isNamed = ({ owner, repo }: { owner: string | null; repo: string | null }, named: NamedChange) =>
    owner?.toLowerCase() === named.owner.toLowerCase() && repo?.toLowerCase() === named.repo.toLowerCase();
  const asked = new Map<string, Promise<Source | { problem: string }>>();
  const runTask = runFor(parts.threads, project.project_id);

  async function ask(entry: { repository: string }): Promise<Source | { problem: string }> {
    await using access = await parts.openProject(project, { contents: 'read' }, signal);
    const repository: Repository = access.repository ?? (await access.client.fetchRepository());
    const documentation = { projectId: project.project_id, repository, client: access.client };
    const [resolved] = await resolveContext({ ...parts, runTask }, documentation, [entry], signal);
    if (resolved === undefined) throw new Error(`could not resolve ${entry.repository}`);
    return resolved.state === 'ready' ? resolved.found : resolved;
  }

  /** Before the first run, nobody has read them. */
  async function readContext(): Promise<Settings['context']> {
    if (project.settings !== null) return readStoredSettings(project.settings).context;
    await using access = await parts.openProject(project, { contents: 'read' }, signal);
    const { settings } = await fetchSettings(access.client, { runTask, signal });
    return settings.context;
  }

  return async (named: NamedChange): Promise<Source | { problem: string }> => {
    if (isNamed(project, named)) return toRepositoryLocation(project);
    const context = await readContext();
    const rows = await listContextRows(parts.database, project.project_id);
    const entry = context.find(
      ({ repository }) =>
        repository.toLowerCase() === `${named.owner}/${named.repo}`.toLowerCase() ||
        rows.some((row) => row.name === repository.toLowerCase() && isNamed(row, named)),
    );
    if (entry === undefined)
      return { problem: `\`context\` in ${settingsPath} does not list ${named.owner}/${named.repo}.` };
    const known = asked.get(entry.repository) ?? ask(entry);
    asked.set(entry.repository, known);
    return known;
  };
}

async function fetchChange(
  { github, secrets, threads }: ChangeParts,
  { source, ...named }: NamedChange & { source: Source },
  signal: AbortSignal,
): Promise<NamedPullRequest> {
  const { number } = named;
  const runTask = runFor(threads, toReference(named));
  try {
    await using access = await openAccess({ github, secrets, location: source, permissions: reading, signal });
    const fetched = await access.client.fetchChange(number, { maxFiles });
    if (fetched === undefined) return unread(named, 'It is no pull request, or it was deleted.');
    const { fileCount, files, title, body, ...facts } = fetched;
    const { owner, repo, repositoryId } = access.repository ?? source;
    const found: FoundChange = {
      kind: 'found',
      ...facts,
      reference: toReference({ owner, repo, number }),
      repositoryId,
      title: bound(storable(withoutInvisible(title)), maxTitleLength),
      body: storable(bound(await stripHiddenInThread(bound(body, 2 * maxBodyLength), runTask, signal), maxBodyLength)),
      files: boundPatches(files),
      more: Math.max(0, fileCount - files.length),
    };
    return found;
  } catch (error) {
    if (!(error instanceof GitHubRefusal)) throw error;
    return unread(named, error.message);
  }
}

/** Keeps the files of the longest patches without them. */
function boundPatches(files: readonly FileDiff[]): FileDiff[] {
  let left = maxPatchCharacters;
  return files.map(({ path, previousPath, patch, ...file }) => {
    const fits = patch !== null && patch.length <= left;
    if (fits) left -= patch.length;
    return {
      ...file,
      path: storable(path),
      previousPath: previousPath === null ? null : storable(previousPath),
      patch: fits ? storable(patch) : null,
    };
  });
}
