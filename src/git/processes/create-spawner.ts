import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { ProcessEnd, RunProcess } from './run-process.ts';
import type { Command, SpawnerReply } from './spawner.ts';

interface Spawner extends AsyncDisposable {
  runProcess: RunProcess;
}

/**
 * Runs processes from a small process of its own. A fork copies the page tables of the process that forks, and the event
 * loop waits for it: some 15 ms in a service of 200 MB, some 2 ms in the spawner. If the spawner dies, its processes end like ones
 * that did not start, and the next call starts another spawner. Disposing ends the running processes.
 */
export function createSpawner(): Spawner {
  let child: ChildProcess | undefined = start();
  let lastId = 0;
  const waiting = new Map<number, (end: ProcessEnd) => void>();

  function start(): ChildProcess {
    const started = fork(fileURLToPath(new URL('./spawner.ts', import.meta.url)), {
      env: {},
      execArgv: ['--max-semi-space-size=1'],
      serialization: 'advanced',
      // Ctrl-C goes to the group of the parent.
      detached: true,
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    });
    started.unref();
    started.channel?.unref();
    started.on('message', (reply) => {
      if (isReply(reply)) settle(reply.id, reply.end);
    });
    const lose = (reason: string) => {
      if (child !== started) return;
      child = undefined;
      endWaiting(reason);
    };
    started.once('error', ({ message }) => lose(message));
    started.once('exit', (code, signal) => lose(`the spawner ended (${code ?? signal})`));
    return started;
  }

  function settle(id: number, end: ProcessEnd): void {
    waiting.get(id)?.(end);
    waiting.delete(id);
    // While nothing waits for it, the channel does not keep this process alive.
    if (waiting.size === 0) child?.channel?.unref();
  }

  function endWaiting(reason: string): void {
    for (const id of waiting.keys()) settle(id, notStarted(reason));
  }

  return {
    runProcess(request, signal) {
      lastId += 1;
      const id = lastId;
      child ??= start();
      const to = child;
      to.channel?.ref();
      const send = (command: Command) =>
        to.send(command, (error) => {
          if (error) settle(id, notStarted(error.message));
        });
      return new Promise((resolve) => {
        const kill = () => send({ id, end: true });
        waiting.set(id, (end) => {
          signal.removeEventListener('abort', kill);
          resolve(end);
        });
        send({ id, request });
        signal.addEventListener('abort', kill);
        if (signal.aborted) kill();
      });
    },
    async [Symbol.asyncDispose]() {
      const last = child;
      child = undefined;
      if (!last || last.exitCode !== null || last.signalCode !== null) return;
      const ended = once(last, 'exit');
      last.ref();
      if (last.connected) last.disconnect();
      await ended;
      // A spawner without a parent answers nobody.
      endWaiting('the spawner was disposed');
    },
  };
}

const isReply = (message: unknown): message is SpawnerReply =>
  typeof message === 'object' && message !== null && 'end' in message;

const notStarted = (message: string): ProcessEnd => ({
  code: null,
  stdout: new Uint8Array(),
  stderr: '',
  isTimedOut: false,
  isTruncated: false,
  error: { message },
});
