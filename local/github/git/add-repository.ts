import { randomBytes } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';
import { ensureAccount } from '../state/accounts.ts';
import { findRepository } from '../state/repositories.ts';
import type { Repository, World } from '../state/world.ts';
import { createBareRepository } from './create-bare-repository.ts';
import { type Files, writeCommit } from './write-commit.ts';

export interface NewRepository {
  owner: string;
  name: string;
  /** The first commit: path → content, or a directory to copy. An empty object: a repository without commits. */
  files: Files | string;
  defaultBranch?: string;
  /** Default true, so that a missing credential shows. */
  private?: boolean;
  template?: boolean;
  /** What the API tells of its size; default 1. */
  kilobytes?: number | undefined;
  /** Default true; false: a private repository of an account that does not pay. */
  draftsSupported?: boolean;
}

export async function addRepository(world: World, settings: NewRepository): Promise<Repository> {
  if (findRepository(world, settings.owner, settings.name)) {
    throw new Error(`could not add repository ${settings.owner}/${settings.name}: it exists`);
  }
  const owner = ensureAccount(world, settings.owner, 'Organization');
  const id = world.nextId();
  const createdAt = world.timestamp();
  const repository: Repository = {
    world,
    id,
    owner,
    name: settings.name,
    private: settings.private ?? true,
    archived: false,
    isTemplate: settings.template ?? false,
    draftsSupported: settings.draftsSupported ?? true,
    defaultBranch: settings.defaultBranch ?? 'main',
    kilobytes: settings.kilobytes ?? 1,
    directory: join(world.directory, `${id}-${randomBytes(4).toString('hex')}.git`),
    createdAt,
    updatedAt: createdAt,
    pushedAt: createdAt,
    roles: new Map(),
    rulesets: new Map(),
    signedCommits: new Set(),
    pullRequests: [],
    issues: [],
    releases: [],
    checkRuns: [],
    statuses: [],
  };
  await createBareRepository(repository.directory, repository.defaultBranch);
  const files = typeof settings.files === 'string' ? await readDirectory(settings.files) : settings.files;
  if (Object.keys(files).length > 0) {
    await writeCommit(repository.directory, {
      ref: `refs/heads/${repository.defaultBranch}`,
      files,
      message: 'Initial commit',
      author: { name: owner.login, email: `${owner.id}+${owner.login}@users.noreply.github.com` },
      date: world.clock(),
    });
  }
  world.formerNames.delete(`${settings.owner}/${settings.name}`.toLowerCase());
  world.repositories.set(id, repository);
  return repository;
}

async function readDirectory(directory: string): Promise<Files> {
  const files: Files = {};
  for (const entry of await readdir(directory, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const path = join(entry.parentPath, entry.name);
    files[relative(directory, path).replaceAll(sep, '/')] = await readFile(path);
  }
  return files;
}
