import { randomBytes } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { link, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { constants, createZstdCompress } from 'node:zlib';
import pg from 'pg';
import { exists } from '../../disk/files.ts';
import { hasCode } from '../../errors.ts';
import { assertClusterExists } from '../embedded/cluster.ts';
import { startEmbeddedPostgres } from '../embedded/embedded-postgres.ts';
import type { PostgresConnection } from '../embedded/presence.ts';
import { readCopy } from '../postgres/copy.ts';

/** Files of DATA_DIR without which the service cannot act as its App, or read the secrets of webhooks. */
export const secretFiles = ['app.json', 'secrets.key'] as const;

interface BackedUp {
  bytes: number;
  /** Those of `secretFiles` that exist. */
  secrets: string[];
}

/**
 * Writes the embedded database as a compressed tar archive that only its owner can read, also while the service runs. Holds every
 * transaction that was committed before the call. Atomic: the file is complete or missing. Throws if it exists.
 */
export async function backUp(options: { dataDir: string; file: string; signal: AbortSignal }): Promise<BackedUp> {
  const { dataDir, file, signal } = options;
  await assertClusterExists(dataDir);
  const inTheWay = `${file} exists: name another file, or remove it`;
  if (await exists(file)) throw new Error(inTheWay);
  const draft = `${file}.part-${randomBytes(6).toString('hex')}`;
  const secrets: string[] = [];
  const entries: Buffer[] = [];
  for (const name of secretFiles) {
    const path = join(dataDir, name);
    if (!(await exists(path))) continue;
    secrets.push(name);
    entries.push(toTarEntry(name, await readFile(path)));
  }
  await using server = await startEmbeddedPostgres({ dataDir, signal });
  try {
    const written = createWriteStream(draft, { flags: 'wx', mode: 0o600, flush: true });
    const compress = createZstdCompress({
      params: { [constants.ZSTD_c_compressionLevel]: 1, [constants.ZSTD_c_checksumFlag]: 1 },
    });
    await pipeline(() => readArchive(server.connection, entries), compress, written, { signal });
    await link(draft, file);
    return { bytes: written.bytesWritten, secrets };
  } catch (error) {
    if (hasCode(error, 'EEXIST')) throw new Error(inTheWay, { cause: error });
    if (hasCode(error, 'ENOENT')) throw new Error(`the folder of ${file} does not exist: create it`, { cause: error });
    if (hasCode(error, 'ENOSPC'))
      throw new Error(`no space is left for ${file}: make room, or name a file on another disk`, { cause: error });
    throw error;
  } finally {
    await rm(draft, { force: true });
  }
}

/** The server's archive ends with the WAL that a restore needs. https://www.postgresql.org/docs/18/protocol-replication.html */
async function* readArchive(connection: PostgresConnection, entries: readonly Buffer[]): AsyncGenerator<Buffer> {
  yield* entries;
  // Its type lacks the parameter.
  const config: pg.ClientConfig & { replication: string } = { ...connection, replication: 'true' };
  const client = new pg.Client(config);
  client.on('error', () => {});
  await client.connect();
  try {
    // Without a slot, a checkpoint during the backup may remove WAL that it needs.
    const slot = `pagewright_backup_${randomBytes(6).toString('hex')}`;
    await client.query(`CREATE_REPLICATION_SLOT ${slot} TEMPORARY PHYSICAL (RESERVE_WAL)`);
    yield* readFiles(readCopy(client, `BASE_BACKUP (LABEL 'pagewright', CHECKPOINT 'fast', WAL true, MANIFEST 'no')`));
  } finally {
    await client.end();
  }
}

async function* readFiles(messages: Readable): AsyncGenerator<Buffer> {
  let archives = 0;
  for await (const message of messages) {
    if (!Buffer.isBuffer(message)) throw new Error('the server sent no bytes');
    const kind = String.fromCharCode(message[0] ?? 0);
    if (kind === 'n') archives += 1;
    if (archives > 1) throw new Error('the database has tablespaces: back it up with pg_basebackup');
    if (kind === 'd') yield message.subarray(1);
  }
}

const blockBytes = 512;

/** One file of mode 0600 as an entry of a tar archive: https://pubs.opengroup.org/onlinepubs/9799919799/utilities/pax.html#tag_20_94_13_06 */
export function toTarEntry(name: string, content: Buffer): Buffer {
  const header = Buffer.alloc(blockBytes);
  const octal = (value: number, digits: number) => `${value.toString(8).padStart(digits, '0')}\0`;
  header.write(name, 0);
  header.write(octal(0o600, 7), 100);
  header.write(octal(0, 7), 108);
  header.write(octal(0, 7), 116);
  header.write(octal(content.length, 11), 124);
  header.write(octal(Math.floor(Date.now() / 1_000), 11), 136);
  header.write('0', 156);
  header.write('ustar\x0000', 257);
  // The sum counts its own field as spaces.
  header.fill(' ', 148, 156);
  const sum = header.reduce((total, byte) => total + byte, 0);
  header.write(`${octal(sum, 6)} `, 148);
  const padding = Buffer.alloc((blockBytes - (content.length % blockBytes)) % blockBytes);
  return Buffer.concat([header, content, padding]);
}
