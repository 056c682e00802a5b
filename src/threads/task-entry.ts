/** `load` comes first: the time limit of a task is for its input, not for its code. */
export type TaskRequest =
  | { kind: 'load'; module: string }
  | { kind: 'run'; module: string; name: string; input: unknown };

/** The state of each thread of `createTaskPool`: the modules that it has loaded. */
export function openTasks() {
  const loaded = new Map<string, Record<string, (input: unknown) => unknown>>();
  return async (request: TaskRequest): Promise<unknown> => {
    const { module } = request;
    if (request.kind === 'load') {
      loaded.set(module, await import(module));
      return undefined;
    }
    const work = loaded.get(module)?.[request.name];
    if (work === undefined) throw new Error(`${module} exports no ${request.name}`);
    return work(request.input);
  };
}
