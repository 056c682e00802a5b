import { join } from 'node:path';
import { z } from 'zod';
import { eventually } from '../../../harness/eventually.ts';
import { type SpawnedProcess, spawnProcess } from '../../../harness/processes/spawn-process.ts';
import { closedSchema, type Order, type Point, type Report, reportSchema, startedSchema } from './point.ts';

const program = join(import.meta.dirname, 'gated-service.ts');

/** A service process whose steps the trials can hold. Disposing kills it. */
export interface ServiceProcess extends SpawnedProcess {
  url: string;
  /** Names its disk: processes of one machine share a data directory. */
  machine: string;
  /** The points that runs have reached since the last `hold`, in order. */
  reports: readonly Report[];
  order(order: Exclude<Order, { claims: 'closed' }>): void;
  /** Resolves when no claim is under way: a job that is created then is not claimed. */
  closeClaims(): Promise<void>;
  /** Resolves when all of these runs wait at their points; throws with the points that no run reached. */
  held(plan: readonly { jobId: string; point: Point }[]): Promise<void>;
}

/** Resolves when the service is ready. Its log is the file `log` in `directory/name`. */
export async function spawnGatedService({
  name,
  directory,
  machine,
  environment,
}: {
  name: string;
  directory: string;
  machine: string;
  environment: Record<string, string>;
}): Promise<ServiceProcess> {
  const spawned = await spawnProcess({
    command: [process.execPath, program],
    cwd: join(directory, name),
    environment: { ...environment, DATA_DIR: join(directory, `machine-${machine}`) },
    hasChannel: true,
  });
  const reports: Report[] = [];
  let url: string | undefined;
  let isClosed = false;
  spawned.child.on('message', (message) => {
    const parsed = z.union([reportSchema, startedSchema, closedSchema]).parse(message);
    if ('url' in parsed) url = parsed.url;
    else if ('claims' in parsed) isClosed = true;
    else reports.push(parsed);
  });
  const startedUrl = await spawned.started(() => url);
  return {
    ...spawned,
    get lines() {
      return spawned.lines;
    },
    url: startedUrl,
    machine,
    reports,
    order(order) {
      if ('hold' in order) reports.length = 0;
      spawned.child.send(order);
    },
    async closeClaims() {
      isClosed = false;
      spawned.child.send({ claims: 'closed' } satisfies Order);
      await eventually(() => isClosed || undefined, { what: 'no claim is under way', withinMs: 60_000 });
    },
    async held(plan) {
      const isHeld = (run: { jobId: string; point: Point }) =>
        reports.some(({ jobId, point, isHeld }) => isHeld && jobId === run.jobId && point === run.point);
      const missing = () => plan.filter((run) => !isHeld(run));
      await eventually(() => missing().length === 0 || undefined, {
        what: 'all runs wait at their points',
        withinMs: 150_000,
      }).catch((cause) => {
        const points = missing().map(({ point }) => point);
        throw new Error(`no run reached ${points.join(', ')}`, { cause });
      });
    },
    async [Symbol.asyncDispose]() {
      if (!spawned.hasEnded()) await spawned.kill('SIGKILL');
    },
  };
}
