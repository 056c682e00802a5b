import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createCaller } from '../../harness/caller.ts';
import { createProject } from '../../harness/create-project.ts';
import { type Stint, startFakeRuns } from '../../harness/fake-runs.ts';
import { serveApi } from '../../harness/serve-api.ts';
import { startPostgres } from '../../harness/start-postgres.ts';
import { openStore } from './open-store.ts';

export interface EmptyRuns extends AsyncDisposable {
  /** Posts a job (of the first project by default) and resolves when it has ended. */
  post(project?: number): Promise<Stint>;
  /** Resolves when the job is accepted; `ended` resolves when it has ended. */
  submit(project: number): Promise<{ ended: Promise<Stint> }>;
}

/** HTTP, PostgreSQL, queue and workers as the service has them, in this process. The runs only wait for `runMs`. */
export async function startEmptyRuns({
  projects: projectCount = 1,
  workers: processes = 1,
  ...slots
}: {
  concurrency: number;
  runMs: number;
  projects?: number;
  workers?: number;
}): Promise<EmptyRuns> {
  await using cleanup = new AsyncDisposableStack();
  const dataDir = await mkdtemp(join(tmpdir(), 'pagewright-bench-'));
  cleanup.defer(() => rm(dataDir, { recursive: true, force: true }));
  const { connection } = cleanup.use(await startPostgres(dataDir));
  const { database, queue, log } = cleanup.use(await openStore(connection));

  const runs = new Map<string, PromiseWithResolvers<Stint>>();
  /** The claim may come before the answer to the POST. */
  const runOf = (jobId: string) => {
    const run = runs.get(jobId) ?? Promise.withResolvers<Stint>();
    runs.set(jobId, run);
    return run;
  };
  const onEnd = (stint: Stint) => runOf(stint.jobId).resolve(stint);
  cleanup.use(await startFakeRuns(connection, { ...slots, processes, onEnd }));
  const api = cleanup.use(
    await serveApi({ store: { database, queue }, config: { openai: { models: ['bench'], images: false } }, log }),
  );
  const callers = await Promise.all(
    Array.from({ length: projectCount }, async (_, index) => {
      const wanted = { repositoryId: index + 1, repo: `docs-${index + 1}`, installationId: 1 };
      return createCaller({ url: api.url, project: await createProject(database, wanted) });
    }),
  );

  const disposables = cleanup.move();
  return {
    submit,
    post: async (project = 0) => (await submit(project)).ended,
    [Symbol.asyncDispose]: () => disposables.disposeAsync(),
  };

  /** On a busy machine it is sent again: see `createCaller`. */
  async function submit(project: number) {
    const job = await callers[project]?.create('Nothing');
    if (!job) throw new Error(`there is no project ${project}`);
    return { ended: runOf(job.id).promise };
  }
}
