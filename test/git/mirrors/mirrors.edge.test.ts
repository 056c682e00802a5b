import { execFileSync, spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { tryLock } from '../../../src/disk/file-lock.ts';
import { Parked } from '../../../src/errors.ts';
import type { Git, RemoteLimit } from '../../../src/git/git.ts';
import { createMirrorDirectory } from '../../../src/git/mirrors/mirror-directory.ts';
import { createMirrorUpkeep } from '../../../src/git/mirrors/mirror-upkeep.ts';
import { createMirrors } from '../../../src/git/mirrors/mirrors.ts';
import { createWorld, token } from '../../workspace/world.ts';

test('a fetch returns the tips of the base and of the branch', async () => {
  await using world = await createWorld();
  const first = world.addCommit({ 'a.md': 'one\n' });
  const second = world.addCommit({ 'a.md': 'two\n' }, { branch: 'pagewright/x', parent: first });
  await using mirror = await world.fetch({ branch: 'pagewright/x' });
  expect(mirror).toMatchObject({ baseSha: first, branchSha: second });
});

test('a missing branch is null, and a missing base ends the run', async () => {
  await using world = await createWorld();
  const sha = world.addCommit({ 'a.md': 'one\n' });
  await using mirror = await world.fetch({ branch: 'pagewright/gone' });
  expect(mirror).toMatchObject({ baseSha: sha, branchSha: null });
  world.addCommit({ 'a.md': 'one\n' }, { branch: 'x/refs/heads/other' });
  for (const base of ['other', '*', 'a:b', '--upload-pack=x', '../main', '']) {
    await expect(world.fetch({ base }), base).rejects.toMatchObject({ name: 'GitRefusal', reason: 'branch_missing' });
  }
});

test('the default branch is fetched on request, and may be missing', async () => {
  await using world = await createWorld();
  const base = world.addCommit({ 'a.md': 'one\n' });
  const sha = world.addCommit({ 'a.md': 'two\n' }, { branch: 'trunk' });
  const tips = async (defaultBranch?: string) => {
    await using mirror = await world.fetch({ branch: 'gone', ...(defaultBranch && { defaultBranch }) });
    const { baseSha, branchSha, defaultSha } = mirror;
    return { baseSha, branchSha, defaultSha };
  };
  expect(await tips('trunk')).toEqual({ baseSha: base, branchSha: null, defaultSha: sha });
  expect(await tips('main')).toEqual({ baseSha: base, branchSha: null, defaultSha: base });
  for (const missing of [undefined, 'nowhere', 'a:b', '*']) {
    expect(await tips(missing)).toEqual({ baseSha: base, branchSha: null, defaultSha: null });
  }
});

test('an empty repository ends the run', async () => {
  await using world = await createWorld();
  await expect(world.fetch()).rejects.toMatchObject({ reason: 'repository_empty' });
});

test('a missing repository ends the run; a refused token or an unavailable server does not', async () => {
  await using world = await createWorld();
  world.addCommit({ 'a.md': 'one\n' });
  await expect(world.fetch({ url: `${world.server.url}/acme/gone.git` })).rejects.toMatchObject({
    reason: 'repository_gone',
  });
  // GitHub also answers so to a new token that some of its servers do not know yet.
  await expect(world.fetch({ token: 'wrong' })).rejects.toMatchObject({
    name: 'Error',
    message: expect.stringContaining('its server answers 401'),
  });
  world.server.answerWith(503, /info\/refs/);
  await expect(world.fetch()).rejects.toMatchObject({ name: 'RemoteUnavailable' });
  world.server.answerWith(301, /info\/refs/);
  await expect(world.fetch()).rejects.toMatchObject({ name: 'Error' });
  await expect(world.fetch({ url: 'http://127.0.0.1:1/acme/docs.git' })).rejects.toMatchObject({
    name: 'RemoteUnavailable',
    message: expect.stringContaining('its server gives no answer'),
  });
});

test('a repository larger than the limit ends the run and leaves no files', async () => {
  await using world = await createWorld({ maxRepositoryBytes: 50_000 });
  world.addCommit({ 'a.bin': randomBytes(60_000) });
  await expect(world.fetch()).rejects.toMatchObject({ reason: 'repository_too_large' });
  expect(mirrorsIn(world.root)).toEqual([]);
});

test('promise 18: a tree with an entry named .git is refused before it is stored', async () => {
  await using world = await createWorld();
  world.addCommit({ 'docs/.git': 'gitdir: /etc\n' });
  await expect(world.fetch()).rejects.toMatchObject({ reason: 'repository_invalid' });
  expect(mirrorsIn(world.root)).toEqual([]);
});

test('runs of several processes fetch the same mirror at once', async () => {
  await using world = await createWorld();
  const first = world.addCommit({ 'a.md': 'one\n' });
  const second = world.addCommit({ 'a.md': 'two\n' }, { branch: 'x', parent: first });
  const directory = join(world.root, 'mirrors');
  const processes = [world.mirrors, createMirrors({ git: world.git, directory, maxBytes: 1e9 })];
  const { url, signal } = world;
  const fetches = Array.from({ length: 8 }, (_, index) =>
    processes[index % 2]?.fetch({
      repositoryId: 7,
      url,
      token,
      runId: `run_${index}`,
      base: 'main',
      branch: 'x',
      signal,
    }),
  );
  for (const mirror of await Promise.all(fetches)) {
    expect(mirror).toMatchObject({ baseSha: first, branchSha: second });
    await mirror?.[Symbol.asyncDispose]();
  }
  expect(refsOf(world.root, 'refs/pagewright')).toEqual([]);
});

test('runs that need a new repository at the same moment fetch it once', async () => {
  await using world = await createWorld();
  const baseSha = world.addCommit({ 'a.md': 'one\n' });
  const fetches = Array.from({ length: 4 }, (_, index) => world.fetch({ runId: `run_${index}` }));
  for (const mirror of await Promise.all(fetches)) {
    expect(mirror).toMatchObject({ baseSha });
    await mirror[Symbol.asyncDispose]();
  }
  // Each run reads the branches; only one fetches them.
  expect(world.server.requests.filter((request) => request.startsWith('POST'))).toHaveLength(5);
});

test("files of a killed fetch do not count toward the repository's size", async () => {
  await using world = await createWorld({ maxRepositoryBytes: 50_000 });
  const baseSha = world.addCommit({ 'a.md': 'one\n' });
  const pack = join(world.root, 'mirrors', '7.git', 'objects', 'pack');
  const leave = () => {
    mkdirSync(pack, { recursive: true });
    writeFileSync(join(pack, 'tmp_pack_x1Y2z3'), randomBytes(60_000));
    writeFileSync(join(pack, '..', '..', 'packed-refs.lock'), '');
  };
  const stop = new AbortController();
  const killed = expect(world.fetch({ signal: stop.signal })).rejects.toThrow('killed');
  await world.server.nextRequest();
  stop.abort(new Error('killed'));
  await killed;
  for (const when of ['before the first fetch ended', 'later']) {
    leave();
    await using mirror = await world.fetch();
    expect(mirror, when).toMatchObject({ baseSha });
    expect(existsSync(join(pack, 'tmp_pack_x1Y2z3')), when).toBe(false);
  }

  // Another run may be writing this file: the size decides only under the exclusive lock.
  const held = await world.fetch();
  leave();
  await expect(world.impatient.fetch(world.request('run_2'))).rejects.toBeInstanceOf(Parked);
  rmSync(join(pack, '..', '..', 'packed-refs.lock'));
  await held[Symbol.asyncDispose]();
  await using again = await world.fetch();
  expect(again).toMatchObject({ baseSha });
});

test('a second fetch transfers only new objects', async () => {
  await using world = await createWorld();
  const noise = randomBytes(200_000);
  const first = world.addCommit({ 'a.bin': noise });
  await (await world.fetch())[Symbol.asyncDispose]();
  world.run(['repack', '-adq']);
  world.addCommit({ 'a.bin': noise, 'b.md': 'new\n' }, { parent: first });
  await (await world.fetch())[Symbol.asyncDispose]();
  const objects = execFileSync('git', [
    '--git-dir',
    join(world.root, 'mirrors', '7.git'),
    'count-objects',
    '-v',
  ]).toString();
  expect(Number(/size: (\d+)/.exec(objects)?.[1]) + Number(/size-pack: (\d+)/.exec(objects)?.[1])).toBeLessThan(300);
});

test.each([
  ['its HEAD is missing', (gitDir: string) => rmSync(join(gitDir, 'HEAD'))],
  ['its objects are missing', (gitDir: string) => rmSync(join(gitDir, 'objects'), { recursive: true })],
  [
    'a kept commit is unreadable',
    (gitDir: string) => writeFileSync(join(gitDir, 'refs', 'kept', 'x'), `${'1'.repeat(40)}\n`),
  ],
])('a mirror is fetched again when %s', async (_, damage) => {
  await using world = await createWorld();
  const first = world.addCommit({ 'a.md': 'one\n' });
  await (await world.fetch())[Symbol.asyncDispose]();
  const sha = world.addCommit({ 'a.md': 'two\n' }, { parent: first });
  damage(join(world.root, 'mirrors', '7.git'));
  await using mirror = await world.fetch();
  expect(mirror.baseSha).toBe(sha);
});

test('a fetch of a damaged mirror waits until no run uses it, then replaces it', async () => {
  await using world = await createWorld();
  world.addCommit({ 'a.md': 'one\n' });
  const mirror = await world.fetch();
  await mirror.markDamaged();
  await expect(world.impatient.fetch(world.request('run_2'))).rejects.toBeInstanceOf(Parked);
  const waiting = world.fetch({ runId: 'run_3' });
  await mirror[Symbol.asyncDispose]();
  await using again = await waiting;
  expect(again.baseSha).toBe(mirror.baseSha);
  expect(existsSync(join(again.directory, 'pagewright-damaged'))).toBe(false);
});

test('a run with a refused branch, or with refs that cannot be deleted, leaves the mirror usable', async () => {
  await using world = await createWorld();
  const baseSha = world.addCommit({ 'a.md': 'one\n' });
  world.addCommit({ 'docs/.git': 'gitdir: /etc\n' }, { branch: 'bad' });
  await using _held = await world.fetch();
  for (const runId of ['run_1', 'run_2']) {
    await expect(world.fetch({ runId, branch: 'bad' })).rejects.toMatchObject({ reason: 'repository_invalid' });
  }
  const other = await world.fetch({ runId: 'run_3' });
  expect(other).toMatchObject({ baseSha });
  // git cannot create a ref below another ref.
  execFileSync('git', ['--git-dir', other.directory, 'update-ref', 'refs/kept', baseSha]);
  await other[Symbol.asyncDispose]();
  await using again = await world.impatient.fetch(world.request('run_4'));
  expect(again).toMatchObject({ baseSha });
});

test('a run with refs that cannot be deleted releases its mirror at once, without checking all objects', async () => {
  await using world = await createWorld();
  const baseSha = world.addCommit({ 'a.md': 'one\n' });
  const commands: string[] = [];
  const git: Git = (args, options) => {
    commands.push(args[0] ?? '');
    return world.git(args, options);
  };
  const mirrors = createMirrors({ git, directory: join(world.root, 'mirrors'), maxBytes: 1e9 });
  const mirror = await mirrors.fetch(world.request('run_1'));
  execFileSync('git', ['--git-dir', mirror.directory, 'update-ref', 'refs/kept', baseSha]);
  commands.length = 0;
  await mirror[Symbol.asyncDispose]();
  expect(commands).toEqual(['update-ref']);
});

test('maintenance removes the least recently used mirrors, but none in use', async () => {
  await using world = await createWorld({ maxBytes: 1 });
  world.addCommit({ 'a.md': 'one\n' });
  await (await world.fetch({ repositoryId: 1 }))[Symbol.asyncDispose]();
  const held = await world.fetch({ repositoryId: 2 });
  await world.mirrors.maintain(world.signal);
  expect(mirrorsIn(world.root)).toEqual(['2.git']);
  await held[Symbol.asyncDispose]();
  await world.mirrors.maintain(world.signal);
  expect(mirrorsIn(world.root)).toEqual([]);
});

test('maintenance keeps the mirrors that fit', async () => {
  await using world = await createWorld({ maxBytes: 100_000 });
  world.addCommit({ 'a.bin': randomBytes(45_000) });
  for (const repositoryId of [3, 1, 2]) {
    await (await world.fetch({ repositoryId }))[Symbol.asyncDispose]();
  }
  await world.mirrors.maintain(world.signal);
  expect(mirrorsIn(world.root)).toEqual(['1.git', '2.git']);
});

test('a large mirror that nobody used for long is removed before small ones that were idle for longer', async () => {
  await using world = await createWorld({ maxBytes: 150_000 });
  const small = world.addCommit({ 'a.md': 'one\n' });
  for (const repositoryId of [1, 2]) await (await world.fetch({ repositoryId }))[Symbol.asyncDispose]();
  world.addCommit({ 'a.bin': randomBytes(90_000) }, { parent: small });
  for (const repositoryId of [3, 4]) await (await world.fetch({ repositoryId }))[Symbol.asyncDispose]();
  const hoursAgo = { 1: 50, 2: 50, 3: 40, 4: 1 };
  for (const [id, hours] of Object.entries(hoursAgo)) {
    const usedAt = new Date(Date.now() - hours * 3_600_000);
    utimesSync(join(world.root, 'mirrors', `${id}.lock`), usedAt, usedAt);
  }
  await world.mirrors.maintain(world.signal);
  expect(mirrorsIn(world.root)).toEqual(['1.git', '2.git', '4.git']);
});

test.each([
  { name: 'without a limit, mirrors leave a fifth of the disk free', free: 19, kept: [] },
  { name: 'without a limit, mirrors stay while a fifth of the disk is free', free: 21, kept: ['7.git'] },
])('$name', async ({ free, kept }) => {
  await using world = await createWorld();
  world.addCommit({ 'a.bin': randomBytes(1_000) });
  await (await world.fetch())[Symbol.asyncDispose]();
  const directory = createMirrorDirectory({ git: world.git, directory: join(world.root, 'mirrors') });
  const mirrors = { ...directory, readDisk: async () => ({ size: 100e9, free: free * 1e9 }) };
  const { evict } = createMirrorUpkeep({ git: world.git, mirrors, maxBytes: null, leastShareBytes: 0 });
  await evict();
  expect(mirrorsIn(world.root)).toEqual(kept);
});

test('promise 17: an internal error before the request is thrown unchanged', async () => {
  await using world = await createWorld();
  world.addCommit({ 'a.md': 'a\n' });
  await (await world.fetch())[Symbol.asyncDispose]();
  const away = new Error('the database is away');
  const git: Git = (args, options) => (args[0] === 'fetch' ? Promise.reject(away) : world.git(args, options));
  const mirrors = createMirrors({ git, directory: join(world.root, 'mirrors'), maxBytes: 1e9 });
  await expect(mirrors.fetch(world.request('run_2'))).rejects.toBe(away);
});

test('maintenance removes unfinished deletions, and unfinished mirrors after a day', async () => {
  await using world = await createWorld();
  const directory = join(world.root, 'mirrors');
  const [young, old] = [`${Date.now()}-0123abcd`, '1700000000000-0123abcd'];
  for (const name of [`.old-${young}`, `.new-${old}`, `.new-${young}`])
    mkdirSync(join(directory, name, 'objects'), { recursive: true });
  await world.mirrors.maintain(world.signal);
  expect(readdirSync(directory).filter((name) => name !== 'maintenance.lock')).toEqual([`.new-${young}`]);
});

test('maintenance continues after a failing mirror and throws at the end', async () => {
  await using world = await createWorld({ maxBytes: 100_000 });
  world.addCommit({ 'a.bin': randomBytes(30_000) });
  for (const repositoryId of [4, 3, 2, 1]) {
    await (await world.fetch({ repositoryId }))[Symbol.asyncDispose]();
  }
  const inMirror = (repositoryId: number, path: string) => join(world.root, 'mirrors', `${repositoryId}.git`, path);
  rmSync(inMirror(2, 'pagewright-bytes'));
  mkdirSync(inMirror(2, 'pagewright-bytes'));
  for (const repositoryId of [1, 3]) writeFileSync(inMirror(repositoryId, 'objects/pack/tmp_pack_x'), '');
  const maintained = world.mirrors.maintain(world.signal);
  await expect(maintained).rejects.toMatchObject({ name: 'AggregateError', errors: [{ cause: { code: 'EISDIR' } }] });
  expect(mirrorsIn(world.root)).toEqual(['1.git', '2.git', '3.git']);
  expect([1, 3].filter((repositoryId) => existsSync(inMirror(repositoryId, 'objects/pack/tmp_pack_x')))).toEqual([]);
});

test('maintenance deletes the refs of dead runs, repacks grown mirrors and keeps every commit', async () => {
  await using world = await createWorld();
  let sha = '';
  for (let index = 0; index < 25; index += 1) {
    sha = world.addCommit({ 'a.bin': randomBytes(100) }, { parent: sha });
  }
  const mirror = await world.fetch();
  const inMirror = (...args: string[]) =>
    execFileSync('git', ['--git-dir', mirror.directory, ...args])
      .toString()
      .trim();
  for (let index = 0; index < 25; index += 1) {
    inMirror('-c', 'pack.compression=0', 'hash-object', '-w', '--stdin');
    const blob = execFileSync('git', ['--git-dir', mirror.directory, 'hash-object', '-w', '--stdin'], {
      input: `${index}`,
    });
    execFileSync(
      'git',
      ['--git-dir', mirror.directory, 'pack-objects', '-q', `${mirror.directory}/objects/pack/pack`],
      { input: blob },
    );
  }
  inMirror('update-ref', 'refs/pagewright/run_dead/1700000000000-0123abcd/0', sha);
  await world.mirrors.maintain(world.signal);
  expect(refsOf(world.root, 'refs/pagewright')).toHaveLength(1);
  expect(
    readdirSync(join(mirror.directory, 'objects', 'pack')).filter((name) => name.endsWith('.pack')).length,
  ).toBeLessThan(5);
  expect(inMirror('cat-file', '-t', mirror.baseSha)).toBe('commit');
  await mirror[Symbol.asyncDispose]();
});

test('maintenance deletes unreachable objects of an unused mirror that has doubled', async () => {
  await using world = await createWorld();
  const main = world.addCommit({ 'a.bin': randomBytes(1_000) });
  await (await world.fetch())[Symbol.asyncDispose]();
  await world.mirrors.maintain(world.signal);
  world.addCommit({ 'a.bin': randomBytes(9_000_000) }, { branch: 'dead', parent: main });
  const mirror = await world.fetch({ branch: 'dead' });
  const dead = mirror.branchSha ?? '';
  const holds = (sha: string) =>
    spawnSync('git', ['--git-dir', mirror.directory, 'cat-file', '-e', sha], { stdio: 'ignore' }).status === 0;
  const maintain = () => world.mirrors.maintain(world.signal);

  await maintain();
  expect(holds(dead), 'while its run has refs').toBe(true);
  const other = await world.fetch();
  await mirror[Symbol.asyncDispose]();
  await maintain();
  expect(holds(dead), 'while another run uses the mirror').toBe(true);
  await other[Symbol.asyncDispose]();
  await maintain();
  expect(holds(dead)).toBe(false);
  expect(holds(main)).toBe(true);
  await using again = await world.fetch({ branch: 'dead' });
  expect(again).toMatchObject({ baseSha: main, branchSha: dead });
});

test('promise 4: a fetch leaves no token on disk', async () => {
  await using world = await createWorld();
  world.addCommit({ 'a.md': 'one\n' });
  await using _mirror = await world.fetch();
  const secrets = [token, Buffer.from(`x-access-token:${token}`).toString('base64')];
  for (const entry of readdirSync(join(world.root, 'mirrors'), { recursive: true, withFileTypes: true })) {
    const content = entry.isFile() ? readFileSync(join(entry.parentPath, entry.name)).toString('latin1') : '';
    expect(
      secrets.filter((secret) => content.includes(secret)),
      entry.name,
    ).toEqual([]);
  }
});

test('an aborted fetch throws the reason, ends git and releases the mirror', async () => {
  await using world = await createWorld({ maxBytes: 1 });
  world.addCommit({ 'a.md': 'one\n' });
  world.server.answerWith(0, /git-upload-pack$/);
  const stop = new AbortController();
  const reason = new Error('stopped');
  const fetching = world.fetch({ signal: stop.signal });
  const failed = expect(fetching).rejects.toBe(reason);
  await world.server.nextRequest();
  stop.abort(reason);
  await failed;
  await world.mirrors.maintain(world.signal);
  expect(mirrorsIn(world.root)).toEqual([]);
});

test('a rate limit parks a fetch after one request for the reason', async () => {
  await using world = await createWorld();
  world.addCommit({ 'a.md': 'one\n' });
  await (await world.fetch())[Symbol.asyncDispose]();
  world.server.answerWith(429, /info\/refs/);
  const reported: RemoteLimit[] = [];
  world.git.onLimited = async (limit) => {
    reported.push(limit);
    return limit.until;
  };
  const before = Date.now();
  const parked = await world.fetch().catch((error: unknown) => error);
  expect(parked).toBeInstanceOf(Parked);
  expect(parked instanceof Parked && parked.until.getTime() - before).toBeGreaterThanOrEqual(60_000);
  expect(reported).toEqual([{ token, until: parked instanceof Parked && parked.until, isStated: false }]);
  // The fetch, and the request that explains its failure.
  expect(world.server.requests.slice(-2)).toEqual(Array(2).fill(expect.stringContaining('/info/refs?')));
});

test('a run that waits too long for a mirror is parked for a minute', async () => {
  await using world = await createWorld();
  const baseSha = world.addCommit({ 'a.md': 'one\n' });
  await (await world.fetch())[Symbol.asyncDispose]();
  const { impatient } = world;
  const request = world.request('run_2');
  const alone = tryLock(join(world.root, 'mirrors', '7.lock'), 'exclusive');
  const before = Date.now();
  const parked = await impatient.fetch(request).catch((error: unknown) => error);
  expect(parked).toMatchObject({ name: 'Parked', message: expect.stringContaining('fetched or maintained') });
  const waitMs = parked instanceof Parked ? parked.until.getTime() - before : Number.NaN;
  expect(waitMs).toBeGreaterThanOrEqual(60_000);
  expect(waitMs).toBeLessThan(90_000);

  const [stop, reason] = [new AbortController(), new Error('handed over')];
  const stopped = expect(impatient.fetch({ ...request, signal: stop.signal })).rejects.toBe(reason);
  stop.abort(reason);
  await stopped;
  // A run with more patience gets the mirror as soon as it is free.
  const patient = world.fetch();
  alone?.[Symbol.dispose]();
  for (const mirror of [await patient, await impatient.fetch(request)]) {
    expect(mirror).toMatchObject({ baseSha });
    await mirror[Symbol.asyncDispose]();
  }
});

const mirrorsIn = (root: string): string[] =>
  readdirSync(join(root, 'mirrors'))
    .filter((name) => !name.endsWith('.lock'))
    .toSorted();

const refsOf = (root: string, under: string): string[] =>
  execFileSync('git', ['--git-dir', join(root, 'mirrors', '7.git'), 'for-each-ref', '--format=%(refname)', under])
    .toString()
    .split('\n')
    .filter((line) => line !== '');
