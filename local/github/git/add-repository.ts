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
  /** Default true; false: a private repository of an account that does not pay. */
  draftsSupported?: boolean;
}

export async function addRepository(world: World, wanted: NewRepository): Promise<Repository> {
  if (findRepository(world, wanted.owner, wanted.name)) {
    throw new Error(`could not add repository ${wanted.owner}/${wanted.name}: it exists`);
  }
  const owner = ensureAccount(world, wanted.owner, 'Organization');
  const id = world.nextId();
  const createdAt = world.timestamp();
  const repository: Repository = {
    id,
    owner,
    name: wanted.name,
    private: wanted.private ?? true,
    archived: false,
    isTemplate: wanted.template ?? false,
    draftsSupported: wanted.draftsSupported ?? true,
    defaultBranch: wanted.defaultBranch ?? 'main',
    directory: join(world.directory, `${id}-${randomBytes(4).toString('hex')}.git`),
    createdAt,
    updatedAt: createdAt,
    pushedAt: createdAt,
    roles: new Map(),
    rulesets: new Map(),
    signedCommits: new Set(),
    pullRequests: [],
  };
  await createBareRepository(repository.directory, repository.defaultBranch);
  const files = typeof wanted.files === 'string' ? await readDirectory(wanted.files) : wanted.files;
  if (Object.keys(files).length > 0) {
    await writeCommit(repository.directory, {
      ref: `refs/heads/${repository.defaultBranch}`,
      files,
      message: 'Initial commit',
      author: { name: owner.login, email: `${owner.id}+${owner.login}@users.noreply.github.com` },
      date: world.clock(),
    });
  }
  world.formerNames.delete(`${wanted.owner}/${wanted.name}`.toLowerCase());
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
