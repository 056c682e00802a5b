import { createCaller } from '../../../harness/caller.ts';
import { startInWorld } from '../../../harness/start-service.ts';
import type { GitHubSettings } from '../../../local/github/start-github.ts';
import { chosen, type Script } from '../../../local/model/script.ts';
import type { Timing } from '../../../src/timing.ts';
import { lookAt } from './scenario.ts';
import { createWorld, defaultFiles, type World } from './world.ts';

/** A world with a running service. Its model plays the script of the first of `choices`, to be added to, whose `when` a person has said. */
export async function openServedWorld({
  files,
  environment = {},
  timing,
  ...more
}: {
  files?: Record<string, string>;
  environment?: Record<string, string>;
  kilobytes?: number;
  /** Default: short. */
  timing?: Timing;
} & Pick<GitHubSettings, 'onExchange'> = {}) {
  await using cleanup = new AsyncDisposableStack();
  const choices: { when: string; script: Script }[] = [];
  const world = cleanup.use(
    await createWorld({ script: (request) => chosen(choices)(request), ...(files && { files }), ...more }),
  );
  const service = cleanup.use(await startInWorld(world, { WORKER_CONCURRENCY: '12', ...environment }, timing));
  /** Another repository of the world, whose owner has an installation: what is done there disturbs no other. */
  async function openProject(owner: string, projectFiles = defaultFiles) {
    const there: World = { ...world, ...(await world.addProject(owner, projectFiles)) };
    const caller = createCaller({ url: service.url, project: there });
    return { world: there, caller, github: lookAt(there), name: there.repository.fullName };
  }

  const held = cleanup.move();
  return {
    world,
    service,
    caller: service.caller,
    choices,
    name: world.repository.fullName,
    github: lookAt(world),
    rita: world.github.asPerson('rita'),
    openProject,
    [Symbol.asyncDispose]: () => held.disposeAsync(),
  };
}
