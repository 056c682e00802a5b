import type { MessagePort } from 'node:worker_threads';

export interface LoadedTask {
  module: string;
  name: string;
  input: unknown;
  /** Told once the code is loaded: the time limit of a task is for its input, not for the start of its thread. */
  loaded: MessagePort;
}

/** What each thread of `createThreads` runs. */
export async function runTask({ module, name, input, loaded }: LoadedTask): Promise<unknown> {
  const { [name]: work }: Record<string, (input: unknown) => unknown> = await import(module);
  loaded.postMessage(null);
  loaded.close();
  if (work === undefined) throw new Error(`${module} exports no ${name}`);
  return work(input);
}
