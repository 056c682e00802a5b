import { randomBytes } from 'node:crypto';
import { mkdir, mkdtemp, readdir, readFile, rm, stat, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { zstdCompressSync } from 'node:zlib';
import { Client } from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { backUp, toTarEntry } from '../../../src/store/backup/back-up.ts';
import { restore } from '../../../src/store/backup/restore.ts';
import { type EmbeddedPostgres, startEmbeddedPostgres } from '../../../src/store/embedded/embedded-postgres.ts';

const { signal } = new AbortController();
let root: string;
let dataDir: string;
let server: EmbeddedPostgres;
let file: string;

beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'pagewright-backup-'));
  dataDir = join(root, 'data');
  file = join(root, 'a.backup');
  server = await startEmbeddedPostgres({ dataDir });
  await writeFile(join(dataDir, 'app.json'), '{"appId":1}');
  await query(server, 'create table storm (writer int, seq int, filler text, primary key (writer, seq))');
});

afterAll(async () => {
  await server.stop();
  await rm(root, { recursive: true, force: true });
});

async function query(on: EmbeddedPostgres, statement: string): Promise<unknown[]> {
  const client = new Client(on.connection);
  await client.connect();
  const { rows } = await client.query({ text: statement, rowMode: 'array' });
  await client.end();
  return rows;
}

/** Commits rows until it is told to stop. `committed` holds the last one of each writer. */
function startStorm(writers: number) {
  const committed: number[] = Array.from({ length: writers }, () => 0);
  let isOver = false;
  const work = committed.map(async (_, writer) => {
    const client = new Client(server.connection);
    await client.connect();
    const filler = randomBytes(3_000).toString('base64');
    for (let seq = 1; !isOver; seq++) {
      await client.query('insert into storm values ($1, $2, $3)', [writer, seq, filler]);
      committed[writer] = seq;
    }
    await client.end();
  });
  return {
    committed,
    async stop() {
      isOver = true;
      await Promise.all(work);
    },
  };
}

/** A busy machine commits few writes in a second. */
const patience = { timeout: 30_000 };

test('a backup during a storm of writes loses nothing that was committed before', async () => {
  const storm = startStorm(4);
  await expect.poll(() => Math.min(...storm.committed), patience).toBeGreaterThan(50);
  const before = [...storm.committed];
  const made = await backUp({ dataDir, file, signal });
  await expect
    .poll(() => Math.min(...storm.committed.map((seq, writer) => seq - (before[writer] ?? 0))), patience)
    .toBeGreaterThan(0);
  await storm.stop();
  expect(made).toEqual({ bytes: (await stat(file)).size, secrets: ['app.json'] });
  expect((await stat(file)).mode & 0o777).toBe(0o600);

  const restored = join(root, 'restored');
  expect(await restore({ dataDir: restored, file, signal })).toEqual(['app.json']);
  expect(await readFile(join(restored, 'app.json'), 'utf8')).toBe('{"appId":1}');
  expect((await readdir(restored)).sort()).toEqual(['app.json', 'postgres']);
  await using copy = await startEmbeddedPostgres({ dataDir: restored });
  const found = await query(copy, 'select writer, max(seq)::int, count(*)::int from storm group by 1 order by 1');
  expect(found).toHaveLength(4);
  for (const [writer, last, count] of found as [number, number, number][]) {
    expect(last).toBeGreaterThanOrEqual(before[writer] ?? Number.POSITIVE_INFINITY);
    expect(count).toBe(last);
    expect(last).toBeLessThanOrEqual(storm.committed[writer] ?? 0);
  }
  expect(await query(server, 'select from pg_replication_slots')).toEqual([]);
});

test('a draft of a killed backup with the same process id is not in the way', async () => {
  const other = join(root, 'after-a-kill.backup');
  const draft = `${other}.part-${process.pid}`;
  await writeFile(draft, 'half a backup');
  expect(await backUp({ dataDir, file: other, signal })).toMatchObject({ secrets: ['app.json'] });
  await rm(draft);
});

test('a backup replaces no file, and leaves no draft', async () => {
  await writeFile(join(root, 'mine'), 'mine');
  await expect(backUp({ dataDir, file: join(root, 'mine'), signal })).rejects.toThrow('mine exists: name another file');
  await expect(backUp({ dataDir, file: join(root, 'no/a'), signal })).rejects.toThrow('does not exist: create it');
  await expect(backUp({ dataDir: join(root, 'none'), file, signal })).rejects.toThrow('set DATA_DIR to the folder');
  const aborted = AbortSignal.abort(new Error('ended by SIGINT'));
  await expect(backUp({ dataDir, file: join(root, 'b'), signal: aborted })).rejects.toThrow('ended by SIGINT');
  expect((await readdir(root)).filter((name) => name.includes('.part'))).toEqual([]);
});

test('a restore replaces no database and no other secret, and names what to do', async () => {
  const from = { file: join(root, 'c.backup'), signal };
  await expect(restore({ dataDir: join(root, 'new'), ...from })).rejects.toThrow(`there is no file ${from.file}`);
  await backUp({ dataDir, ...from });
  await expect(restore({ dataDir, ...from })).rejects.toThrow('the service runs');
  const used = join(root, 'used');
  await mkdir(join(used, 'postgres'), { recursive: true });
  await expect(restore({ dataDir: used, ...from })).rejects.toThrow('exists: move it away');
  const other = join(root, 'other');
  await mkdir(other);
  await writeFile(join(other, 'app.json'), '{"appId":2}');
  await expect(restore({ dataDir: other, ...from })).rejects.toThrow(
    "app.json differs from the backup's: move it away",
  );
  expect(await readdir(other)).toEqual(['app.json']);
});

test('a damaged backup changes nothing', async () => {
  const broken = join(root, 'broken.backup');
  await backUp({ dataDir, file: broken, signal });
  const { size } = await stat(broken);
  const target = join(root, 'from-broken');
  const refused = () => expect(restore({ dataDir: target, file: broken, signal })).rejects;
  // At times the encoder ends with an empty frame of 13 bytes, which nobody needs.
  for (const left of [size - 16, Math.floor(size / 2)]) {
    await truncate(broken, left);
    await refused().toThrow('it is not a backup, or it is damaged');
  }
  await writeFile(broken, 'not a backup');
  await refused().toThrow('it is not a backup, or it is damaged');
  expect(await readdir(target)).toEqual([]);
});

test('a backup of another version of PostgreSQL, or a file of something else, changes nothing', async () => {
  const target = join(root, 'from-other');
  const other = join(root, 'other.backup');
  // tar ends long before the archive does.
  const end = Buffer.alloc(8 * 1024 * 1024);
  await writeFile(other, zstdCompressSync(Buffer.concat([toTarEntry('PG_VERSION', Buffer.from('15\n')), end])));
  const refused = () => expect(restore({ dataDir: target, file: other, signal })).rejects;
  await refused().toThrow(/holds a database of PostgreSQL 15, but this is PostgreSQL 18: restore it with the version/);
  await writeFile(other, zstdCompressSync(Buffer.concat([toTarEntry('app.json', Buffer.from('{}')), end])));
  await refused().toThrow('is not a backup of Pagewright');
  expect(await readdir(target)).toEqual([]);
});
