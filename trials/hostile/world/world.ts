import { createCaller } from '../../../harness/caller.ts';
import { openEmbeddedDatabase } from '../../../harness/embedded-database.ts';
import { spawnService } from '../../../harness/processes/spawn-service.ts';
import { openWorld as openSharedWorld } from '../../../harness/world.ts';
import { startsWith } from '../../../local/demo/start-service.ts';
import type { Script, ScriptStep } from '../../../local/model/script.ts';
import { watchHealth } from './watch-service.ts';
import { type Entry, writeTree } from './write-tree.ts';

export type World = Awaited<ReturnType<typeof openWorld>>;
export type Project = Awaited<ReturnType<World['addProject']>>;

/** Limits that these trials do not test, so wide that one run can carry hundreds of tries. */
const limits = {
  JOB_RATE_LIMIT_PER_HOUR: '0',
  WORKER_CONCURRENCY: '8',
  RUN_MAX_CHANGED_FILES: '20000',
  RUN_MAX_CHANGED_BYTES: '400000000',
  RUN_MAX_TURNS: '400',
  RUN_MAX_TOKENS: '1000000000',
};

const nothing: ScriptStep = { text: 'Nothing has to change.' };

/** The service as `npm start` starts it, in a separate process; GitHub and the model are stand-ins in this one. */
export async function openWorld({ openDatabase = openEmbeddedDatabase } = {}) {
  await using cleanup = new AsyncDisposableStack();
  const scripts = new Map<string, Script>();
  const script: Script = (request) => {
    // A later instruction of the same job comes last.
    const named = request.messages.flatMap(({ text }) => [...text.matchAll(/\[script (\d+)\]/g)]).at(-1)?.[1] ?? '';
    return scripts.get(named)?.(request) ?? nothing;
  };
  // Hundreds of runs take more tokens than GitHub grants an App in an hour.
  const world = cleanup.use(await openSharedWorld({ script, openDatabase, hourlyLimit: 1_000_000 }));
  const first = await world.addProject('first', { 'index.md': '# First\n' });
  const service = cleanup.use(
    await spawnService(
      { ...world, ...first },
      {
        command: [process.execPath, ...startsWith.options, 'src/main.ts'],
        environment: { ...startsWith.environment, ...limits },
      },
    ),
  );
  const health = cleanup.use(watchHealth({ url: service.url, pid: service.pid }));
  let count = 0;

  const disposables = cleanup.move();
  return {
    ...world,
    service,
    health,
    url: service.url,
    webhook: { url: `${service.url}/api/github/webhooks`, secret: world.app.webhookSecret },
    /** A repository with the App installed. `entries` are committed on top of `files`. */
    async addProject(files: Record<string, string>, entries: readonly Entry[] = []) {
      count += 1;
      const project = await world.addProject(`owner-${count}`, files);
      if (entries.length > 0) await writeTree(project.repository.gitDirectory, 'main', entries);
      return { ...project, caller: createCaller({ url: service.url, project }) };
    },
    /** Returns the words of an instruction that make the model play the script. */
    addScript(script: Script): string {
      const name = String(scripts.size + 1);
      scripts.set(name, script);
      return `[script ${name}]`;
    },
    [Symbol.asyncDispose]: () => disposables.disposeAsync(),
  };
}
