import { type ProcessEnd, type ProcessRequest, runProcess } from './run-process.ts';

export type Command = { id: number; request: ProcessRequest } | { id: number; end: true };

export interface SpawnerReply {
  id: number;
  end: ProcessEnd;
}

// The process that `create-spawner.ts` forks. It ends with its parent, and kills its running processes.
const running = new Map<number, AbortController>();

process.on('message', (command) => {
  if (isCommand(command)) void obey(command);
});
process.once('disconnect', () => {
  for (const stop of running.values()) stop.abort();
});
// They come to the whole group or service; the parent stops in order, and needs git until then.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => {});

async function obey(command: Command): Promise<void> {
  const { id } = command;
  if (!('request' in command)) {
    running.get(id)?.abort();
    return;
  }
  const stop = new AbortController();
  running.set(id, stop);
  const end = await runProcess(command.request, stop.signal);
  running.delete(id);
  if (process.connected) process.send?.({ id, end } satisfies SpawnerReply);
}

const isCommand = (message: unknown): message is Command =>
  typeof message === 'object' && message !== null && 'id' in message;
