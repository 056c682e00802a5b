import type { IncomingMessage, ServerResponse } from 'node:http';
import { createHttpServer } from './create-http-server.ts';
import { listen } from './listen.ts';

const httpDrainMs = 5_000;

type Handle = (request: IncomingMessage, response: ServerResponse) => void;

/** A port that stays open while what answers on it changes. Disposing it closes the port. */
export interface Listener extends AsyncDisposable {
  port: number;
  /** From now on, `handle` answers. */
  serve(handle: Handle): void;
}

/** Requests wait until the first call of `serve`. Throws as `listen`. */
export async function openListener({ host, port }: { host: string; port: number }): Promise<Listener> {
  const first = Promise.withResolvers<Handle>();
  let answer: Handle = async (request, response) => (await first.promise)(request, response);
  const server = createHttpServer((request, response) => answer(request, response));
  const listening = await listen(server, { host, port, drainMs: httpDrainMs });
  const serve = (handle: Handle) => {
    answer = handle;
    first.resolve(handle);
  };
  return { port: listening.port, serve, [Symbol.asyncDispose]: () => listening[Symbol.asyncDispose]() };
}
