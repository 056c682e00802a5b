import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createReadStream } from 'node:fs';
import { access, chown, mkdir, mkdtemp, open, readFile, realpath, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import { createZstdDecompress } from 'node:zlib';
import { exists } from '../../disk/files.ts';
import { hasCode } from '../../errors.ts';
import { choosePostgresAccount } from '../embedded/account.ts';
import { nameDraft } from '../embedded/cluster.ts';
import { startEmbeddedPostgres } from '../embedded/embedded-postgres.ts';
import { findPostgresPrograms, type PostgresAccount, programEnvironment } from '../embedded/programs.ts';
import { isHeldByServer } from '../embedded/server.ts';
import { secretFiles } from './back-up.ts';

/**
 * Puts a backup into `dataDir`, which must hold no database, and starts it once: a restored database has recovered. Returns the names of
 * the secret files that it restored. Changes nothing if it throws before that start.
 */
export async function restore(options: { dataDir: string; file: string; signal: AbortSignal }): Promise<string[]> {
  const { dataDir, file, signal } = options;
  await access(file).catch((cause) => {
    throw hasCode(cause, 'ENOENT')
      ? new Error(`there is no file ${file}`)
      : new Error(`could not read ${file}`, { cause });
  });
  await mkdir(dataDir, { recursive: true });
  const directory = await realpath(dataDir);
  const cluster = join(directory, 'postgres');
  await assertFree(cluster);
  const programs = await findPostgresPrograms();
  const { account, majorVersion } = await choosePostgresAccount({ programs, directory, cluster });
  const draft = await mkdtemp(nameDraft(cluster));
  let secrets: { name: string; content: Buffer }[] = [];
  try {
    await chown(draft, account.owner.uid, account.owner.gid);
    await unpack({ file, draft, account, signal });
    await assertVersion({ file, draft, majorVersion });
    // They belong to the server that was backed up; its lock would block the start.
    for (const name of ['.s.PGSQL.5432.lock', 'server.log']) await rm(join(draft, name), { force: true });
    secrets = await takeSecrets(draft, directory);
    for (const { name, content } of secrets)
      await writeFile(join(directory, name), content, { mode: 0o600, flush: true });
    await rename(draft, cluster);
    await using folder = await open(directory);
    await folder.sync();
  } finally {
    await rm(draft, { recursive: true, force: true });
  }
  // The first start makes every file durable, replays the WAL, and proves that the backup can be used.
  await (await startEmbeddedPostgres({ dataDir, signal })).stop();
  return secrets.map(({ name }) => name);
}

async function assertFree(cluster: string): Promise<void> {
  if (await isHeldByServer(cluster))
    throw new Error(`the service runs with the database in ${cluster}: stop it, then move that folder away`);
  if (await exists(cluster)) throw new Error(`${cluster} exists: move it away, or set DATA_DIR to another folder`);
}

/** Also finds a file that was cut off or damaged: each backup has a checksum. */
async function unpack(options: {
  file: string;
  draft: string;
  account: PostgresAccount;
  signal: AbortSignal;
}): Promise<void> {
  const { file, draft, account, signal } = options;
  const tar = spawn('tar', ['-xpf', '-', '--no-same-owner'], {
    cwd: draft,
    env: programEnvironment,
    stdio: ['pipe', 'ignore', 'pipe'],
    ...account.owner,
  });
  // A listener first: the program may be missing.
  const ended = once(tar, 'close');
  tar.stdin.on('error', () => {});
  // tar may end at the mark of the archive's end, before it has read the rest; the checksum comes last.
  const feed = async (bytes: AsyncIterable<Buffer>) => {
    try {
      for await (const part of bytes)
        if (tar.stdin.writable) await new Promise((resolve) => tar.stdin.write(part, resolve));
    } finally {
      tar.stdin.end();
    }
  };
  const [input, errors] = await Promise.allSettled([
    pipeline(createReadStream(file), createZstdDecompress(), feed, { signal }),
    text(tar.stderr),
    ended,
  ]);
  signal.throwIfAborted();
  const errorOutput = errors.status === 'fulfilled' ? errors.value.trim() : '';
  if (/No space left/.test(errorOutput)) throw new Error(`no space is left to unpack ${file}: make room in ${draft}`);
  if (input.status === 'rejected' || tar.exitCode !== 0)
    throw new Error(
      `could not unpack ${file}: it is not a backup, or it is damaged${errorOutput && `: ${errorOutput.slice(0, 300)}`}`,
      {
        cause: input.status === 'rejected' ? input.reason : undefined,
      },
    );
}

async function assertVersion(options: { file: string; draft: string; majorVersion: string }): Promise<void> {
  const { file, draft, majorVersion } = options;
  const version = await readFile(join(draft, 'PG_VERSION'), 'utf8').catch(() => undefined);
  if (version === undefined) throw new Error(`${file} is not a backup of Pagewright`);
  if (version.trim() === majorVersion) return;
  throw new Error(
    `${file} holds a database of PostgreSQL ${version.trim()}, but this is PostgreSQL ${majorVersion}: ` +
      'restore it with the version of Pagewright that wrote it',
  );
}

/** Takes the secret files out of the draft. Throws before anything is written, if another one is in place. */
async function takeSecrets(draft: string, directory: string): Promise<{ name: string; content: Buffer }[]> {
  const found: { name: string; content: Buffer }[] = [];
  for (const name of secretFiles) {
    if (!(await exists(join(draft, name)))) continue;
    const content = await readFile(join(draft, name));
    const target = join(directory, name);
    if ((await exists(target)) && !content.equals(await readFile(target)))
      throw new Error(`${target} differs from the backup's: move it away`);
    await rm(join(draft, name));
    found.push({ name, content });
  }
  return found;
}
