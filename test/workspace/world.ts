import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runProcess } from '../../harness/processes/start-programs.ts';
import { createGit } from '../../src/git/git.ts';
import { createMirrors, type Mirror } from '../../src/git/mirrors/mirrors.ts';
import type { WriteRules } from '../../src/policy/write-rules.ts';
import type { WorkspaceCommit } from '../../src/workspace/workspace.ts';
import { createWorkspaces, type WorkspacesLimits } from '../../src/workspace/workspaces.ts';
import { startGitServer } from '../support/git/git-http.ts';
import { createBareRepository, encodeTree } from '../support/git/write-repository.ts';

export const token = 'ghs_1_eyJhbGciOiJSUzI1NiJ9.secret-part.signature';
export const who = { name: 'pagewright[bot]', email: '1+pagewright[bot]@users.noreply.github.com' };
export const details = {
  message: 'Update the docs',
  author: who,
  committer: who,
  date: new Date('2026-11-20T20:06:00Z'),
};

/** An entry of a tree: text or bytes make a plain file; `mode` makes anything else. */
export type Entry = string | Uint8Array | { mode: string; content?: string; sha?: string };

/** A repository on a git server, and our parts that work with it: everything real, below one folder that goes in the end. */
type AddCommit = (entries: Record<string, Entry>, options?: { branch?: string; parent?: string }) => string;

export async function createWorld({
  maxBytes = 1e9,
  maxRepositoryBytes = 1e9,
  limits = {} as Partial<WorkspacesLimits>,
} = {}) {
  const root = await mkdtemp(join(tmpdir(), 'pagewright-workspace-'));
  const server = await startGitServer({ root, token });
  const bare = join(root, 'acme', 'docs.git');
  const run = (args: string[], input?: string | Uint8Array, env: Record<string, string> = {}): string =>
    execFileSync('git', ['--git-dir', bare, ...args], {
      input: input ?? '',
      stdio: ['pipe', 'pipe', 'pipe'],
      env: {
        PATH: process.env.PATH,
        GIT_CONFIG_GLOBAL: '/dev/null',
        GIT_CONFIG_NOSYSTEM: '1',
        GIT_AUTHOR_NAME: 'A Person',
        GIT_AUTHOR_EMAIL: 'person@example.com',
        GIT_COMMITTER_NAME: 'A Person',
        GIT_COMMITTER_EMAIL: 'person@example.com',
        ...env,
      },
    })
      .toString()
      .trim();
  const repository = createBareRepository(bare);

  /** Commits a whole tree to a branch, whatever the tree holds, and returns the commit. */
  const addCommit: AddCommit = (entries, { branch = 'main', parent = '' } = {}) => {
    const tree = writeTree(Object.entries(entries).map(([path, entry]) => [path.split('/'), entry]));
    const person = `A Person <person@example.com> ${Math.floor(Date.now() / 1000)} +0000`;
    const lines = [`tree ${tree}`, ...(parent === '' ? [] : [`parent ${parent}`]), `author ${person}`];
    const sha = repository.writeObject('commit', `${[...lines, `committer ${person}`].join('\n')}\n\ncommit\n`);
    repository.writeRef(`refs/heads/${branch}`, sha);
    return sha;
  };

  /** Trees are made by hand: an index would refuse what hostile ones hold. */
  function writeTree(entries: [string[], Entry][]): string {
    const groups = Map.groupBy(entries, ([[name = '']]) => name);
    const written = [...groups].map(([name, group]) => {
      const [[path, entry] = [[], '']] = group;
      if (path.length > 1) {
        const below = group.map(([[, ...rest], child]): [string[], Entry] => [rest, child]);
        return { mode: '40000', name, sha: writeTree(below) };
      }
      if (typeof entry === 'string' || entry instanceof Uint8Array)
        return { mode: '100644', name, sha: writeBlob(entry) };
      return { mode: entry.mode, name, sha: entry.sha ?? writeBlob(entry.content ?? '') };
    });
    return repository.writeObject('tree', encodeTree(written));
  }

  const writeBlob = (content: string | Uint8Array): string => repository.writeObject('blob', content);

  const addHook = (name: string, script: string) => {
    mkdirSync(join(bare, 'hooks'), { recursive: true });
    writeFileSync(join(bare, 'hooks', name), `#!/bin/sh\n${script}\n`, { mode: 0o755 });
  };

  const git = createGit({ allowHttp: true, runProcess });
  const inMirrors = { git, directory: join(root, 'mirrors'), maxBytes, maxRepositoryBytes };
  const mirrors = createMirrors(inMirrors);
  const impatient = createMirrors({ ...inMirrors, patienceMs: 100 });
  const workspaces = createWorkspaces({ git, directory: join(root, 'workspaces'), limits });
  const url = `${server.url}/acme/docs.git`;
  const signal = AbortSignal.timeout(60_000);
  const request = (runId: string) => ({ repositoryId: 7, url, token, runId, base: 'main', branch: null, signal });
  const fetch = (options: Partial<Parameters<typeof mirrors.fetch>[0]> = {}) =>
    mirrors.fetch({ ...request('run_1'), ...options });

  /** The repository itself as the mirror of a base and a branch: for tests that are not about fetching. */
  const mirrorOf = (sha: string, branchSha: string | null = null): Mirror => ({
    directory: bare,
    baseSha: sha,
    branchSha,
    defaultSha: null,
    markDamaged: async () => {},
    [Symbol.asyncDispose]: async () => {},
  });

  return {
    root,
    server,
    bare,
    repository,
    url,
    run,
    addCommit,
    addHook,
    git,
    mirrors,
    /** The same mirrors, for a process that waits no longer than 0.1 s for one. */
    impatient,
    request,
    workspaces,
    signal,
    fetch,
    mirrorOf,
    /** Opens a workspace on a repository whose main branch holds these files. */
    async open(
      entries: Record<string, Entry>,
      {
        isFetched = false,
        ...options
      }: {
        writes?: Map<string, Uint8Array | null>;
        rules?: WriteRules;
        /** Through a mirror, as the service does it. */
        isFetched?: boolean;
      } = {},
    ) {
      const sha = addCommit(entries);
      const mirror = isFetched ? await fetch() : mirrorOf(sha);
      const workspace = await workspaces.open({ runId: 'run_1', mirror, sha, writes: new Map(), signal, ...options });
      /** Which lines a commit adds and deletes: `1 1 a.md`. */
      const countLines = async (commit: WorkspaceCommit | null): Promise<string[]> => {
        const args = ['diff-tree', '-r', '-M', '--numstat', sha, commit?.sha ?? ''];
        const { stdout } = await git(args, { gitDir: mirror.directory, signal });
        return stdout.toString().trimEnd().replaceAll('\t', ' ').split('\n');
      };
      return Object.assign(workspace, { mirror, sha, countLines });
    },
    async [Symbol.asyncDispose]() {
      await server[Symbol.asyncDispose]();
      await rm(root, { recursive: true, force: true });
    },
  };
}
