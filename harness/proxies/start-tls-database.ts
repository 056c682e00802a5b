import { chmod, chown, copyFile, mkdir, realpath, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { choosePostgresAccount, ensureSocketDirectory } from '../../src/store/embedded/account.ts';
import { ensureCluster } from '../../src/store/embedded/cluster.ts';
import { createPostgresCommand, findPostgresPrograms } from '../../src/store/embedded/programs.ts';
import { startProgram } from './start-front.ts';

/** The names in the certificate. 127.0.0.1 leads there too, but is not one of them. */
interface Certificate {
  certificateFile: string;
  keyFile: string;
}

const name = 'pagewright';

/** A PostgreSQL that TCP reaches by TLS only. `createUrl` names the file of the authority that clients trust. */
export async function startTlsDatabase({
  directory,
  port,
  certificateFile,
  keyFile,
}: Certificate & { directory: string; port: number }) {
  await mkdir(directory, { recursive: true });
  const parent = await realpath(directory);
  const cluster = join(parent, 'postgres');
  const programs = await findPostgresPrograms();
  const { account, majorVersion } = await choosePostgresAccount({ programs, directory: parent, cluster });
  const run = createPostgresCommand({ programs, account, directory: parent });
  await ensureCluster({ cluster, majorVersion, account, run, user: name, database: name, signal: undefined });
  const socketDirectory = await ensureSocketDirectory({ cluster, account });
  for (const [from, to] of [
    [certificateFile, 'server.crt'],
    [keyFile, 'server.key'],
  ] as const) {
    await copyFile(from, join(cluster, to));
    await chown(join(cluster, to), account.owner.uid, account.owner.gid);
    await chmod(join(cluster, to), 0o600);
  }
  await writeFile(join(cluster, 'pg_hba.conf'), 'local all all trust\nhostssl all all 127.0.0.1/32 trust\n');
  const settings = {
    listen_addresses: '127.0.0.1',
    port,
    unix_socket_directories: socketDirectory,
    max_connections: 300,
    ssl: 'on',
  };
  const options = Object.entries(settings).map(([key, value]) => `-c ${key}=${value}`);
  const log = ['-l', 'postgres/server.log'];
  const { exitCode, errors } = await run('pg_ctl', ['-D', 'postgres', 'start', '-w', ...log, '-o', options.join(' ')]);
  if (exitCode !== 0) throw new Error(`could not start PostgreSQL: ${errors}`);
  return {
    /** How to start PgBouncer, which refuses root too. */
    prefix: account.prefix,
    async [Symbol.asyncDispose]() {
      await run('pg_ctl', ['-D', 'postgres', 'stop', '-w', '-m', 'fast']);
    },
  };
}

/** PgBouncer as docs/operations/deploy.md describes it, with TLS on both sides. */
export async function startPgBouncer({
  directory,
  mode,
  port,
  databasePort,
  authorityFile,
  certificateFile,
  keyFile,
  prefix,
}: Certificate & {
  directory: string;
  mode: 'session' | 'transaction';
  port: number;
  databasePort: number;
  authorityFile: string;
  prefix: readonly string[];
}) {
  await mkdir(directory, { recursive: true });
  const lines = [
    ...['[databases]', `${name} = host=localhost port=${databasePort}`, '[pgbouncer]'],
    ...['listen_addr = 127.0.0.1', `listen_port = ${port}`, 'unix_socket_dir =', `pool_mode = ${mode}`],
    ...['default_pool_size = 60', 'auth_type = trust', `auth_file = ${directory}/users`],
    'ignore_startup_parameters = statement_timeout,idle_in_transaction_session_timeout',
    ...[
      'client_tls_sslmode = require',
      `client_tls_cert_file = ${certificateFile}`,
      `client_tls_key_file = ${keyFile}`,
    ],
    ...['server_tls_sslmode = verify-full', `server_tls_ca_file = ${authorityFile}`],
  ];
  const file = join(directory, 'pgbouncer.ini');
  await writeFile(file, `${lines.join('\n')}\n`);
  await writeFile(join(directory, 'users'), `"${name}" ""\n`);
  const [program = 'pgbouncer', ...args] = [...prefix, 'pgbouncer', file];
  return startProgram([program, ...args], { directory, port });
}

export const createUrl = ({
  host = 'localhost',
  port,
  authorityFile,
}: {
  host?: string;
  port: number;
  authorityFile: string;
}) => `postgresql://${name}@${host}:${port}/${name}?sslmode=verify-full&sslrootcert=${authorityFile}`;
