import { execFileSync, spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { isReadable } from '../../../src/git/commits.ts';
import { GitError } from '../../../src/git/errors.ts';
import type { Git } from '../../../src/git/git.ts';
import { createMirrors, type Mirror } from '../../../src/git/mirrors/mirrors.ts';
import { pushBranch } from '../../../src/git/push-branch.ts';
import { mergeTrees } from '../../../src/workspace/merges/find-merge-conflicts.ts';
import { createWorld, token } from '../../workspace/world.ts';

type World = Awaited<ReturnType<typeof createWorld>>;

const large = { bytes: 1e9 };

/** A server that offers filters. */
async function createLargeWorld(options: Parameters<typeof createWorld>[0] = {}) {
  const world = await createWorld(options);
  world.run(['config', 'uploadpack.allowFilter', 'true']);
  return world;
}

test('a large repository is fetched with the files of its tip only, in two requests', async () => {
  await using world = await createLargeWorld();
  const { old, tip } = addHistory(world);
  // GitHub has bitmaps: of a commit that the mirror has, it would send no file.
  world.run(['repack', '-a', '-d', '-b', '-q']);
  await using mirror = await world.fetch(large);
  expect(mirror.baseSha).toBe(tip);
  expect(await readable(world, mirror, [old, tip])).toEqual([false, true]);
  expect(isThere(mirror, `${old}^{commit}`), 'the history itself').toBe(true);
  expect(fetches(world)).toBe(2);
  await using _again = await world.fetch({ ...large, runId: 'run_2' });
  expect(fetches(world), 'only the tip, because no file is missing').toBe(3);
});

test.each([
  ['a small repository', { bytes: 1_000_000 }, true],
  ['a repository whose server offers no filters', large, false],
  ['a repository whose runs need a whole mirror', { ...large, mustBeWhole: true }, true],
])('%s is fetched whole', async (_, request, allowFilter) => {
  await using world = await createWorld();
  world.run(['config', 'uploadpack.allowFilter', String(allowFilter)]);
  const { old, tip } = addHistory(world);
  await using mirror = await world.fetch(request);
  expect(await readable(world, mirror, [old, tip])).toEqual([true, true]);
  expect(fetches(world)).toBe(1);
});

test('a later fetch brings the files that the tip took from old commits, also by a revert', async () => {
  await using world = await createLargeWorld();
  const { tip, files, oldFiles } = addHistory(world);
  await (await world.fetch(large))[Symbol.asyncDispose]();
  const next = world.addCommit({ ...files, ...oldFiles, 'new.md': 'new\n' }, { parent: tip });
  await using mirror = await world.fetch(large);
  expect(mirror.baseSha).toBe(next);
  expect(await readable(world, mirror, [next])).toEqual([true]);
});

test('two branches merge without a request: the files of all their merge bases are there', async () => {
  await using world = await createLargeWorld();
  const { files, tip } = addHistory(world);
  const page = (...lines: string[]) => ({ ...files, 'a.md': `${lines.join('\n\n\n')}\n` });
  // Each side has merged the other: two merge bases, which git merges first.
  const root = world.addCommit(page('one', 'two', 'three'), { parent: tip });
  const left = world.addCommit(page('ONE', 'two', 'three'), { parent: root, branch: 'x' });
  const right = world.addCommit(page('one', 'two', 'THREE'), { parent: root });
  const merge = (branch: string, parents: string[]) => {
    const tree = world.run([
      'rev-parse',
      `${world.addCommit(page('ONE', 'two', 'THREE'), { branch: 'scratch' })}^{tree}`,
    ]);
    const sha = world.run(['commit-tree', tree, ...parents.flatMap((parent) => ['-p', parent]), '-m', branch]);
    world.run(['update-ref', `refs/heads/${branch}`, sha]);
    return sha;
  };
  const [ours, theirs] = [merge('x', [left, right]), merge('main', [right, left])];
  world.addCommit(page('ONE!', 'two', 'THREE'), { parent: ours, branch: 'x' });
  world.addCommit(page('ONE', 'two', 'THREE!'), { parent: theirs });
  await using mirror = await world.fetch({ ...large, branch: 'x' });
  const { baseSha, branchSha } = mirror;
  expect(await readable(world, mirror, [root, left, right])).toEqual([true, true, true]);
  const asked = world.server.requests.length;
  const merged = await mergeTrees({ ...place(world, mirror), ours: branchSha ?? '', theirs: baseSha });
  expect(merged.stages).toEqual([]);
  expect(world.server.requests).toHaveLength(asked);
});

test('the files of the commit on which a run began are there, if the remote has it', async () => {
  await using world = await createLargeWorld();
  const { old } = addHistory(world);
  await using mirror = await world.fetch({ ...large, alsoRead: [old, '1'.repeat(40)] });
  expect(await readable(world, mirror, [old])).toEqual([true]);
});

test.each([
  ['git that knows the switch', { GIT_NO_LAZY_FETCH: '1' }],
  ['an older git', {}],
])('%s fetches no missing file by itself', async (_, env) => {
  await using world = await createLargeWorld();
  const { old } = addHistory(world);
  await using mirror = await world.fetch(large);
  const asked = world.server.requests.length;
  const arguments_ = ['--git-dir', mirror.directory, 'cat-file', 'blob', `${old}:docs/0.md`];
  // Nothing but what the service sets for every command, and the switch.
  const policy = { GIT_CONFIG_COUNT: '1', GIT_CONFIG_KEY_0: 'protocol.allow', GIT_CONFIG_VALUE_0: 'never' };
  expect(spawnSync('git', arguments_, { env: { PATH: process.env.PATH, ...policy, ...env } }).status).toBe(128);
  expect(world.server.requests).toHaveLength(asked);
});

test('a commit is pushed without a file of old commits', async () => {
  await using world = await createLargeWorld();
  world.run(['config', 'http.receivepack', 'true']);
  const { tip } = addHistory(world);
  await using mirror = await world.fetch(large);
  await using workspace = await world.workspaces.open({
    runId: 'run_1',
    mirror,
    sha: tip,
    writes: new Map(),
    signal: world.signal,
  });
  await workspace.writeFile('docs/0.md', '# Changed\n');
  const commit = await workspace.commit({
    message: 'x',
    author: who,
    committer: who,
    date: new Date(0),
    parents: [tip],
    signal: world.signal,
  });
  const sha = commit?.sha ?? '';
  const target = { ...place(world, mirror), url: world.url, token, sha, branch: 'job', expected: null };
  expect(await pushBranch(target)).toEqual({ kind: 'pushed' });
  expect(world.run(['rev-parse', 'refs/heads/job'])).toBe(sha);
  // A person builds on it, and the next run fetches that.
  const top = world.addCommit({ 'docs/0.md': '# Again\n' }, { parent: sha, branch: 'job' });
  await using next = await world.fetch({ ...large, branch: 'job' });
  expect(await readable(world, next, [top])).toEqual([true]);
});

test('a mirror becomes whole when the remote sends no files by name', async () => {
  await using world = await createLargeWorld();
  const { old, tip } = addHistory(world);
  const git: Git = async (args, options) => {
    if (!args.includes('fetch') || !args.includes('--stdin')) return world.git(args, options);
    throw new GitError({ command: 'fetch', failure: 'exit', code: 128, stderr: '' });
  };
  const mirrors = createMirrors({ git, directory: join(world.root, 'mirrors'), maxBytes: 1e9 });
  await using mirror = await mirrors.fetch({ ...world.request('run_1'), ...large });
  expect(await readable(world, mirror, [old, tip])).toEqual([true, true]);
});

test('a mirror that lacks a file of the base becomes whole', async () => {
  await using world = await createLargeWorld();
  const { old, tip } = addHistory(world);
  const first = await world.fetch(large);
  const open = { runId: 'run_1', mirror: first, sha: old, writes: new Map(), signal: world.signal };
  await expect(world.workspaces.open(open)).rejects.toBeInstanceOf(GitError);
  await first[Symbol.asyncDispose]();
  await using mirror = await world.fetch({ ...large, runId: 'run_2' });
  expect(await readable(world, mirror, [old, tip])).toEqual([true, true]);
});

test('the last attempt of a run replaces a blobless mirror by a whole one', async () => {
  await using world = await createLargeWorld();
  const { old } = addHistory(world);
  await (await world.fetch(large))[Symbol.asyncDispose]();
  await using mirror = await world.fetch({ ...large, mustBeWhole: true });
  expect(await readable(world, mirror, [old])).toEqual([true]);
});

test('maintenance packs what many fetches brought, and loses nothing', async () => {
  await using world = await createLargeWorld();
  const { old, tip } = addHistory(world);
  await using mirror = await world.fetch(large);
  const { directory } = mirror;
  const person = ['author', 'committer'].map((role) => `${role} A <a@b> 0 +0000\n`).join('');
  const tree = world.run(['rev-parse', `${tip}^{tree}`]);
  const own = execFileSync('git', ['--git-dir', directory, 'hash-object', '-t', 'commit', '-w', '--stdin'], {
    input: `tree ${tree}\nparent ${tip}\n${person}\nof a run, in no ref\n`,
  });
  for (let index = 0; index < 20; index += 1)
    execFileSync('git', ['--git-dir', directory, '-c', 'fastimport.unpackLimit=0', 'fast-import', '--quiet'], {
      input: `blob\ndata <<.\n${index}\n.\n`,
    });
  const packs = join(directory, 'objects', 'pack');
  for (const pack of packsOf(mirror)) writeFileSync(join(packs, pack.replace(/pack$/, 'promisor')), '');
  await world.mirrors.maintain(world.signal);
  expect(packsOf(mirror).length).toBeLessThan(3);
  const after = world.addCommit({ 'docs/0.md': '# Later\n' }, { parent: tip });
  await using next = await world.fetch({ ...large, runId: 'run_2' });
  const commits = [tip, own.toString().trim(), after, old];
  expect(await readable(world, next, commits)).toEqual([true, true, true, false]);
});

test('maintenance removes an unused mirror that has doubled', async () => {
  await using world = await createLargeWorld();
  const { tip } = addHistory(world);
  const mirror = await world.fetch(large);
  const pack = join(mirror.directory, 'objects', 'pack', 'pack-x.promisor');
  writeFileSync(pack, '');
  truncateSync(pack, 9_000_000);
  await world.mirrors.maintain(world.signal);
  expect(existsSync(mirror.directory), 'while a run uses it').toBe(true);
  await mirror[Symbol.asyncDispose]();
  await world.mirrors.maintain(world.signal);
  expect(existsSync(mirror.directory)).toBe(false);
  await using again = await world.fetch(large);
  expect(await readable(world, again, [tip])).toEqual([true]);
});

test('what is not fetched does not count toward the largest size of a repository', async () => {
  await using world = await createLargeWorld({ maxRepositoryBytes: 60_000 });
  const first = world.addCommit({ 'a.bin': randomBytes(50_000) });
  const tip = world.addCommit({ 'a.md': 'a\n', 'b.bin': randomBytes(20_000) }, { parent: first });
  await using mirror = await world.fetch(large);
  expect(await readable(world, mirror, [tip])).toEqual([true]);
  world.addCommit({ 'b.bin': randomBytes(70_000) }, { parent: tip });
  await expect(world.fetch({ ...large, repositoryId: 8 })).rejects.toMatchObject({ reason: 'repository_too_large' });
});

test('promise 18: a tree with an entry named .git is refused here, too', async () => {
  await using world = await createLargeWorld();
  world.addCommit({ 'docs/.git': 'gitdir: /etc\n' });
  await expect(world.fetch(large)).rejects.toMatchObject({ reason: 'repository_invalid' });
});

test('promise 4: neither the token nor the address of the remote is in a blobless mirror', async () => {
  await using world = await createLargeWorld();
  addHistory(world);
  await using mirror = await world.fetch(large);
  const secrets = [token, Buffer.from(`x-access-token:${token}`).toString('base64'), world.server.url];
  for (const entry of readdirSync(mirror.directory, { recursive: true, withFileTypes: true })) {
    const content = entry.isFile() ? readFileSync(join(entry.parentPath, entry.name)).toString('latin1') : '';
    expect(
      secrets.filter((secret) => content.includes(secret)),
      entry.name,
    ).toEqual([]);
  }
});

/** Two commits: of ten pages, the second changes one and adds another. */
function addHistory(world: World) {
  const oldFiles = Object.fromEntries(Array.from({ length: 10 }, (_, page) => [`docs/${page}.md`, `# Page ${page}\n`]));
  const old = world.addCommit(oldFiles);
  const files = { ...oldFiles, 'docs/0.md': '# Page, changed\n', 'docs/10.md': '# New\n' };
  return { old, oldFiles, tip: world.addCommit(files, { parent: old }), files };
}

const who = { name: 'pagewright[bot]', email: '1+pagewright[bot]@users.noreply.github.com' };

const place = (world: World, { directory }: Mirror) => ({ git: world.git, gitDir: directory, signal: world.signal });

const readable = (world: World, mirror: Mirror, commits: string[]) =>
  Promise.all(commits.map((sha) => isReadable({ ...place(world, mirror), sha })));

const isThere = ({ directory }: Mirror, name: string) =>
  spawnSync('git', ['--git-dir', directory, 'cat-file', '-e', name], { stdio: 'ignore' }).status === 0;

/** Answers with objects: a fetch lists the branches first. */
const fetches = ({ server }: World) => server.requests.filter((request) => request.startsWith('GET')).length;

const packsOf = ({ directory }: Mirror) =>
  readdirSync(join(directory, 'objects', 'pack')).filter((name) => name.endsWith('.pack'));
