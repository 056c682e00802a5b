import type { GitHubApp } from '../github/auth/app.ts';
import type { InstallationToken } from '../github/auth/mint-token.ts';
import { openClient, type Secrets } from '../github/auth/open-access.ts';
import type { Repository } from '../github/calls/repository.ts';
import type { RepositoryClient } from '../github/calls/repository-client.ts';
import { GitHubRefusal } from '../github/refusals/github-refusal.ts';
import { isOutOfReach } from '../projects/follow-transfer.ts';
import { fetchSettings } from '../projects/read-repository-settings.ts';
import type { Database } from '../store/postgres/database.ts';
import {
  listContextRows,
  type Placed,
  storeContextRepositories,
} from '../store/tables/repositories/context-repositories.ts';
import type { RunTask } from '../threads/threads.ts';
import type { ClosedRepository, ContextRepository } from './context-repository.ts';
import { findConsent } from './find-consent.ts';

export interface ContextParts {
  database: Database;
  github: GitHubApp;
  secrets: Secrets;
}

export interface ResolveParts extends ContextParts {
  runTask: RunTask;
}

/** The repository whose settings have `context`. */
interface Documentation {
  projectId: string;
  repository: Repository;
  client: { isNameOf: RepositoryClient['isNameOf'] };
}

/** All that it asks for, also of a repository that is not to be read: its installation, its description and its settings. */
const reading = { contents: 'read' } as const;

/**
 * Asks GitHub for each repository whether both sides agree, in the order of `entries`. One that was found before is followed by its id. Throws
 * where GitHub does not answer or limits requests: then nobody knows.
 */
export async function resolveContext(
  parts: ResolveParts,
  documentation: Documentation,
  entries: readonly { repository: string }[],
  signal: AbortSignal,
): Promise<ContextRepository[]> {
  if (entries.length === 0) return [];
  const known = await listContextRows(parts.database, documentation.projectId);
  return Promise.all(
    entries.map(({ repository: name }) => {
      const row = known.find((each) => each.name === name.toLowerCase());
      return resolveOne(parts, documentation, { name, placed: row && toPlaced(row) }, signal);
    }),
  );
}

const toPlaced = ({
  repository_id,
  installation_id,
  owner,
  repo,
}: Awaited<ReturnType<typeof listContextRows>>[number]) =>
  repository_id !== null && installation_id !== null && owner !== null && repo !== null
    ? { repositoryId: repository_id, installationId: installation_id, owner, repo }
    : undefined;

async function resolveOne(
  parts: ResolveParts,
  documentation: Documentation,
  { name, placed }: { name: string; placed: Placed | undefined },
  signal: AbortSignal,
): Promise<ContextRepository> {
  try {
    const reached = await reach(parts, { name, placed }, signal);
    if (reached === undefined) return notInstalled(name, placed ?? null);
    const { installationId, minted, repository } = reached;
    const { repositoryId, owner, repo } = repository;
    const found = { repositoryId, installationId, owner, repo };
    if (repositoryId === documentation.repository.repositoryId) return itself(name, found);
    parts.secrets.hide(minted.token);
    try {
      const client = openClient({ github: parts.github, minted, location: found, signal });
      const consent = await findConsent(repository, await fetchSettings(client, { runTask: parts.runTask, signal }), {
        documentation: documentation.repository,
        isNameOf: documentation.client.isNameOf,
      });
      return consent.state === 'ready' ? { ...consent, name, repository, found } : { ...consent, name, found };
    } finally {
      parts.github.forgetToken(minted.token);
      parts.secrets.forget(minted.token);
    }
  } catch (error) {
    const closed = closeByRefusal(error, { name, found: placed ?? null });
    if (closed === undefined) throw error;
    return closed;
  }
}

interface Reached {
  installationId: number;
  minted: InstallationToken;
  repository: Repository;
}

/** A token for this repository alone. Undefined: the App does not reach it. */
async function reach(
  { github }: ContextParts,
  { name, placed }: { name: string; placed: Placed | undefined },
  signal: AbortSignal,
): Promise<Reached | undefined> {
  const mint = async (installationId: number, of: { repositoryId: number } | { repositoryName: string }) => {
    const minted = await unlessOutOfReach(
      github.mintToken({ repositoryId: undefined, installationId, permissions: reading, signal, ...of }),
    );
    return minted?.repository ? { installationId, minted, repository: minted.repository } : undefined;
  };
  const stayed = placed && (await mint(placed.installationId, placed));
  if (stayed) return stayed;
  for (const [owner = '', repo = ''] of [...(placed ? [[placed.owner, placed.repo]] : []), name.split('/')]) {
    // GitHub follows former names here.
    const installation = await github.findInstallationOf({ owner, repo }, signal);
    if (!installation) continue;
    const { installationId } = installation;
    const moved = placed && (await mint(installationId, placed));
    const named = moved ?? (await mint(installationId, { repositoryName: repo }));
    if (named) return named;
    // The name may be a former one, which no token can be minted for.
    const renamed = await github.findRepository({ owner, repo, installationId }, signal);
    const current = renamed && (await mint(installationId, renamed));
    if (current) return current;
  }
  return undefined;
}

async function unlessOutOfReach<Result>(asked: Promise<Result>): Promise<Result | undefined> {
  try {
    return await asked;
  } catch (error) {
    if (isOutOfReach(error)) return undefined;
    throw error;
  }
}

function closeByRefusal(
  error: unknown,
  place: { name: string; found: ClosedRepository['found'] },
): ClosedRepository | undefined {
  if (!(error instanceof GitHubRefusal)) return undefined;
  const { reason, message } = error;
  const isMissing = reason === 'permission_missing' ? reason : 'not_installed';
  const state = reason === 'installation_suspended' ? 'suspended' : isMissing;
  return { ...place, state, problem: `${place.name} is not read. ${message}` };
}

const notInstalled = (name: string, found: Placed | null): ClosedRepository => ({
  state: 'not_installed',
  name,
  found,
  problem: `${name} is not read, because the App is not installed on it, or there is no such repository. Install the App there, or correct \`context:\` in the settings.`,
});

const itself = (name: string, found: Placed): ClosedRepository => ({
  state: 'itself',
  name,
  found,
  problem: `${name} is this repository, which every run reads. Remove it from \`context:\` in the settings.`,
});

/** Keeps what was found, for pages and the API, and so that a repository is followed by its id. */
export async function storeResolved(
  database: Database,
  projectId: string,
  found: readonly ContextRepository[],
): Promise<void> {
  if (found.length === 0) return storeContextRepositories(database, projectId, []);
  await database.transaction().execute((tx) => storeContextRepositories(tx, projectId, found));
}
