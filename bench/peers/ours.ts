import { createCaller } from '../../harness/caller.ts';
import { createProject } from '../../harness/create-project.ts';
import { startFakeRuns } from '../../harness/fake-runs.ts';
import { serveApi } from '../../harness/serve-api.ts';
import { openStore } from '../world/open-store.ts';
import { type Engine, type EngineParts, slots } from './engine.ts';

/** Runs of jobs. To add one is a request to the API, with a key. */
export function createOurs({ connection }: EngineParts): Engine {
  return {
    async work({ started, ended, runMs }) {
      await startFakeRuns(connection, { concurrency: slots, runMs, onStart: started, onEnd: ended });
    },
    async openAdder() {
      const { database, queue, log } = await openStore(connection);
      const { url } = await serveApi({
        store: { database, queue },
        config: { openai: { models: ['bench'], images: false } },
        log,
      });
      const wanted = { repositoryId: 1, repo: 'docs', installationId: 1 };
      const caller = createCaller({ url, project: await createProject(database, wanted) });
      return async () => void (await caller.create('Nothing'));
    },
  };
}
