import { mkdtemp, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { type Caller, createCaller } from '../caller.ts';
import { eventually } from '../eventually.ts';
import type { ServiceWorld } from '../start-service.ts';
import { type SpawnedProcess, spawnProcess } from './spawn-process.ts';

const root = join(import.meta.dirname, '../..');

/** The service as a process. */
export interface SpawnedService extends SpawnedProcess {
  url: string;
  caller: Caller;
  /** Resolves when the service has logged this message. */
  logged(message: string): Promise<void>;
}

/**
 * Starts the service as a process, on any free port, and resolves when it is ready. `command` runs in a new directory of the world that
 * has the project's code and no `.env`. An empty variable of `environment` removes the world's.
 */
export async function spawnService(
  world: ServiceWorld,
  {
    environment = {},
    command = [process.execPath, 'src/main.ts'],
    receivesWebhooks = true,
  }: {
    environment?: Record<string, string>;
    command?: readonly [string, ...string[]];
    /** Whether the world sends its webhooks to this service. */
    receivesWebhooks?: boolean;
  } = {},
): Promise<SpawnedService> {
  const cwd = await mkdtemp(join(world.directory, 'project-'));
  for (const name of ['package.json', 'bin', 'src']) await symlink(join(root, name), join(cwd, name));
  const spawned = await spawnProcess({ command, cwd, environment: { ...world.environment, ...environment } });
  const url = await spawned.started(async () => {
    const logged = spawned.lines.map(readUrl).find((found) => found !== undefined);
    return logged && (await fetch(`${logged}/readyz`)).ok ? logged : undefined;
  });
  if (receivesWebhooks) world.github.setWebhook(`${url}/api/github/webhooks`, world.environment.WEBHOOK_SECRET ?? '');
  return {
    ...spawned,
    get lines() {
      return spawned.lines;
    },
    url,
    caller: createCaller({ url, project: world }),
    async logged(message) {
      await eventually(() => spawned.lines.some((line) => line.includes(`"msg":"${message}"`)) || undefined);
    },
  };
}

const readUrl = (line: string) => /"url":"(http:[^"]+)".*"msg":"pagewright is ready"/.exec(line)?.[1];
