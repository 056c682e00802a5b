import { join } from 'node:path';
import { createSilentLog } from '../../src/log.ts';
import { migrate } from '../../src/store/migrate.ts';
import { createDatabase } from '../../src/store/postgres/database.ts';
import { spawnService } from '../processes/spawn-service.ts';
import { finish } from '../script-steps.ts';
import { openWorld } from '../world.ts';
import { findFreePort } from './find-free-port.ts';
import { createAuthority } from './private-authority.ts';
import type { Report } from './report.ts';
import { createUrl, startPgBouncer, startTlsDatabase } from './start-tls-database.ts';

/** A PostgreSQL with TLS of a private authority: directly, and through PgBouncer in both modes; then connections that must be refused. */
export async function tryDatabase(report: Report): Promise<void> {
  const port = await findFreePort();
  const openDatabase = async (directory: string) => {
    const authority = await createAuthority(join(directory, 'authority'));
    const certificate = await authority.issue('localhost');
    const server = await startTlsDatabase({ directory: join(directory, 'server'), port, ...certificate });
    const connection = { connectionString: createUrl({ port, authorityFile: authority.certificateFile }) };
    const database = createDatabase({
      connection,
      log: createSilentLog(),
      max: 2,
    });
    await migrate(database);
    const close = async () => {
      await database.destroy();
      await server[Symbol.asyncDispose]();
    };
    return { connection, database, server, certificate, authority, [Symbol.asyncDispose]: close };
  };
  await using world = await openWorld({ script: () => finish('Nothing has to change.'), openDatabase });
  const project = await world.addProject('acme', { 'index.md': '# Acme\n' });
  const { authority, certificate, server } = world.database;
  const { certificateFile: authorityFile } = authority;

  async function runJob(url: string): Promise<string | undefined> {
    await using service = await spawnService({ ...world, ...project }, { environment: { DATABASE_URL: url } });
    const { id } = await service.caller.create('Nothing has to change.');
    const { status } = await service.caller.settled(id);
    return status === 'completed' ? undefined : `the job is ${status}`;
  }

  report('a job with sslmode=verify-full', await runJob(createUrl({ port, authorityFile })));
  for (const mode of ['session', 'transaction'] as const) {
    const bouncerPort = await findFreePort();
    const directory = join(world.directory, mode);
    const { prefix } = server;
    const ports = { port: bouncerPort, databasePort: port };
    await using _bouncer = await startPgBouncer({ directory, mode, ...ports, authorityFile, ...certificate, prefix });
    report(`a job through PgBouncer, ${mode} mode`, await runJob(createUrl({ port: bouncerPort, authorityFile })));
  }
  const other = await createAuthority(join(world.directory, 'other'));
  const wrong = {
    'another authority is refused': createUrl({ port, authorityFile: other.certificateFile }),
    'another name is refused': createUrl({ host: '127.0.0.1', port, authorityFile }),
  };
  for (const [what, url] of Object.entries(wrong)) {
    const started = await runJob(url).then(
      () => 'the service runs',
      (error: Error) => (/certificate|altnames/i.test(error.message) ? undefined : error.message),
    );
    report(what, started);
  }
}
