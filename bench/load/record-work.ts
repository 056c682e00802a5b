import childProcess, { type ChildProcess } from 'node:child_process';
import { subscribe } from 'node:diagnostics_channel';
import { appendFileSync } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import timers from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import pg from 'pg';
import { z } from 'zod';
import type { PieceOfWork } from '../figures/read-work.ts';

// The service loads it before its own code. It writes a line for each piece of work that has ended.
const file = process.env.BENCH_WORK_FILE ?? '';
const readClock = () => performance.timeOrigin + performance.now();

function record(kind: PieceOfWork['kind'], what: string, startedAt: number): void {
  const line: PieceOfWork = { kind, what, startedAt, ms: readClock() - startedAt };
  appendFileSync(file, `${JSON.stringify(line)}\n`);
}

const toSpawner = z.object({ id: z.number(), request: z.object({ args: z.array(z.string()) }) });
const fromSpawner = z.object({ id: z.number() });
const { fork } = childProcess;
const { setTimeout: delay } = timers;

Object.assign(childProcess, {
  fork(...args: unknown[]): ChildProcess {
    const child: ChildProcess = Reflect.apply(fork, childProcess, args);
    const running = new Map<number, { what: string; startedAt: number }>();
    const { send } = child;
    Object.assign(child, {
      send(...sent: unknown[]): unknown {
        const { data } = toSpawner.safeParse(sent[0]);
        if (data) running.set(data.id, { what: data.request.args.join(' '), startedAt: readClock() });
        return Reflect.apply(send, child, sent);
      },
    });
    child.prependListener('message', (reply) => {
      const command = running.get(fromSpawner.safeParse(reply).data?.id ?? Number.NaN);
      if (command) record('git', command.what, command.startedAt);
    });
    return child;
  },
});
Object.assign(timers, {
  async setTimeout(...args: unknown[]): Promise<unknown> {
    const startedAt = readClock();
    const result: unknown = await Reflect.apply(delay, timers, args);
    record('wait', `${args[0]} ms`, startedAt);
    return result;
  },
});
syncBuiltinESMExports();

const withText = z.object({ text: z.string() }).transform(({ text }) => text);
const statementShape = z.union([z.string(), withText]).catch('a statement of another form');
const { query } = pg.Client.prototype;
const unanswered = new WeakMap<pg.Client, string[]>();
Object.assign(pg.Client.prototype, {
  query(this: pg.Client, ...args: unknown[]): unknown {
    const startedAt = readClock();
    const answering: unknown = Reflect.apply(query, this, args);
    const text = statementShape.parse(args[0]).slice(0, 200);
    // Statements that follow without waiting for the answer are a part of the same round trip.
    const together = unanswered.get(this);
    if (together) together.push(text);
    else if (answering instanceof Promise) {
      const first = [text];
      unanswered.set(this, first);
      const done = async () => {
        unanswered.delete(this);
        record('sql', first.join('; '), startedAt);
      };
      answering.then(done, done);
    } else record('sql', text, startedAt);
    return answering;
  },
});

const requestShape = z.object({ method: z.string(), path: z.string() });
const requests = new WeakMap<object, number>();
const findRequest = (message: unknown) => z.object({ request: z.custom<object>() }).safeParse(message).data?.request;
subscribe('undici:request:create', (message) => {
  const request = findRequest(message);
  if (request) requests.set(request, readClock());
});
subscribe('undici:request:trailers', (message) => {
  const request = findRequest(message);
  const { data } = requestShape.safeParse(request);
  if (request && data) record('http', `${data.method} ${data.path}`, requests.get(request) ?? readClock());
});

const { postMessage } = Worker.prototype;
Object.assign(Worker.prototype, {
  postMessage(this: Worker, ...args: unknown[]): unknown {
    const startedAt = readClock();
    this.once('message', () => record('thread', 'a request', startedAt));
    return Reflect.apply(postMessage, this, args);
  },
});
