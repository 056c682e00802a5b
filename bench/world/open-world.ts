import { openEmbeddedDatabase } from '../../harness/embedded-database.ts';
import { spawnService } from '../../harness/processes/spawn-service.ts';
import { openWorld as openSharedWorld } from '../../harness/world.ts';
import { startsWith } from '../../local/demo/start-service.ts';
import type { Script } from '../../local/model/script.ts';
import { createProjectClient } from './project-client.ts';

export type BenchWorld = Awaited<ReturnType<typeof openWorld>>;

/** The service as a process, as `npm start` starts it, with PostgreSQL. GitHub, with one repository, and the model run in this process. */
export async function openWorld({
  script,
  files,
  environment = {},
  main = 'src/main.ts',
}: {
  script: Script;
  files: Record<string, string>;
  environment?: Record<string, string>;
  /** The code of the service: the checkout's, or the package's. */
  main?: string;
}) {
  await using cleanup = new AsyncDisposableStack();
  const world = cleanup.use(await openSharedWorld({ script, openDatabase: openEmbeddedDatabase }));
  const { connection, database } = world.database;
  const project = await world.addProject('acme', files);
  const start = (more: Record<string, string>, { receivesWebhooks }: { receivesWebhooks: boolean }) =>
    spawnService(
      { ...world, ...project },
      {
        command: [process.execPath, ...startsWith.options, main],
        environment: { ...startsWith.environment, JOB_RATE_LIMIT_PER_HOUR: '0', ...more },
        receivesWebhooks,
      },
    );
  const service = cleanup.use(await start(environment, { receivesWebhooks: true }));
  const { url } = service;

  const disposables = cleanup.move();
  return {
    ...world,
    ...createProjectClient({ url, project }),
    webhook: { url: `${url}/api/github/webhooks`, secret: world.app.webhookSecret },
    connection,
    databaseUrl: world.environment.DATABASE_URL ?? '',
    database,
    dataDir: world.environment.DATA_DIR ?? '',
    pid: service.pid,
    /** Starts one more service process on the same database and disk. The caller disposes of it. */
    startAnother: (more: Record<string, string>) => start(more, { receivesWebhooks: false }),
    addProject: async (owner: string, theirs = files) =>
      createProjectClient({ url, project: await world.addProject(owner, theirs) }),
    [Symbol.asyncDispose]: () => disposables.disposeAsync(),
  };
}
