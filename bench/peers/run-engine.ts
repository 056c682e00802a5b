import { z } from 'zod';
import { createDbos } from './dbos.ts';
import type { Engine, EngineParts } from './engine.ts';
import { createGraphileWorker } from './graphile-worker.ts';
import { createOurs } from './ours.ts';
import { createPgBoss } from './pg-boss.ts';

// A process of `bench -- peers`: it adds a task for each message of its parent, or runs tasks and reports them.
const Told = z.object({
  engine: z.enum(['ours', 'pg-boss', 'graphile-worker', 'dbos', 'dbos-fast']),
  role: z.enum(['add', 'work']),
  runMs: z.number(),
  packages: z.string(),
  connection: z.object({ host: z.string(), port: z.number(), user: z.string(), database: z.string() }),
});
export type Told = z.infer<typeof Told>;

const engines: Record<Told['engine'], (parts: EngineParts) => Engine> = {
  ours: createOurs,
  'pg-boss': createPgBoss,
  'graphile-worker': createGraphileWorker,
  dbos: (parts) => createDbos(parts, { minPollingIntervalMs: null }),
  'dbos-fast': (parts) => createDbos(parts, { minPollingIntervalMs: 100 }),
};

const { engine, role, runMs, ...parts } = Told.parse(JSON.parse(process.argv[2] ?? ''));
const { work, openAdder } = engines[engine](parts);
const tell = (message: 'ready' | 'started' | 'ended') => process.send?.(message);
if (role === 'work') await work({ runMs, started: () => tell('started'), ended: () => tell('ended') });
else {
  const add = await openAdder();
  process.on('message', () => void add());
}
tell('ready');
