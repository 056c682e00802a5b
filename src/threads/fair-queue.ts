interface Waiting {
  owner: unknown;
  start(): void;
}

/**
 * At most `slots` turns at once, and one per owner: however much one owner asks for, others wait for one of its turns at most. `enter`
 * returns undefined when `maxWaiting` wait already, and throws the signal's reason. A turn ends when it is disposed.
 */
export function createFairQueue({ slots, maxWaiting }: { slots: number; maxWaiting: number }) {
  const waiting: Waiting[] = [];
  const owners = new Set<unknown>();

  function startNext(): void {
    while (owners.size < slots) {
      const index = waiting.findIndex(({ owner }) => !owners.has(owner));
      const next = waiting[index];
      if (next === undefined) return;
      waiting.splice(index, 1);
      owners.add(next.owner);
      next.start();
    }
  }

  async function enter(owner: unknown, signal: AbortSignal): Promise<Disposable | undefined> {
    signal.throwIfAborted();
    if (waiting.length >= maxWaiting) return undefined;
    const { promise, resolve, reject } = Promise.withResolvers<Disposable>();
    const leave = () => {
      owners.delete(owner);
      startNext();
    };
    const entry = { owner, start: () => resolve({ [Symbol.dispose]: leave }) };
    const giveUp = () => {
      const index = waiting.indexOf(entry);
      if (index === -1) return;
      waiting.splice(index, 1);
      reject(signal.reason);
    };
    waiting.push(entry);
    signal.addEventListener('abort', giveUp, { once: true });
    startNext();
    return promise.finally(() => signal.removeEventListener('abort', giveUp));
  }

  return { enter };
}
