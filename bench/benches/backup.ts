import { randomBytes } from 'node:crypto';
import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { startPostgres } from '../../harness/start-postgres.ts';
import { backUp } from '../../src/store/backup/back-up.ts';
import { restore } from '../../src/store/backup/restore.ts';
import { describeDuration, type Figure, time } from '../figures/figure.ts';

const rowsAtOnce = 500;
const rowBytes = 8_000;

/** `pagewright backup` and `restore` of an embedded database of so many megabytes, whose text compresses by a quarter at most. */
export async function benchBackup(megabytes = 1_000): Promise<Figure[]> {
  const root = await mkdtemp(join(tmpdir(), 'pagewright-bench-'));
  await using cleanup = new AsyncDisposableStack();
  cleanup.defer(() => rm(root, { recursive: true, force: true }));
  const [dataDir, restored, file] = [join(root, 'data'), join(root, 'restored'), join(root, 'backup')];
  const { signal } = new AbortController();
  let size = '';
  {
    await using server = await startPostgres(dataDir);
    await using client = await connect(server.connection);
    await client.query('create table texts (text text)');
    await client.query('alter table texts alter column text set storage external');
    for (let bytes = 0; bytes < megabytes * 1e6; bytes += rowsAtOnce * rowBytes) {
      const texts = Array.from({ length: rowsAtOnce }, () => randomBytes((rowBytes * 3) / 4).toString('base64'));
      await client.query('insert into texts select unnest($1::text[])', [texts]);
    }
    const { rows } = await client.query('select pg_size_pretty(pg_database_size(current_database())) as size');
    size = rows[0].size;
  }
  const backupMs = await time(() => backUp({ dataDir, file, signal }));
  const restoreMs = await time(() => restore({ dataDir: restored, file, signal }));
  const goal = { goalMs: 60_000 };
  return [
    describeDuration(`backup of ${size}`, backupMs, goal),
    describeDuration(`restore of ${size}, with the first start`, restoreMs, goal),
    { what: 'the file', measured: `${Math.round((await stat(file)).size / 1e6)} MB` },
  ];
}

async function connect(connection: ConstructorParameters<typeof Client>[0]) {
  const client = new Client(connection);
  await client.connect();
  return Object.assign(client, { [Symbol.asyncDispose]: () => client.end() });
}
