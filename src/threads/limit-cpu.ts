const leastPauseMs = 50;

/**
 * Aborts once a thread has used `cpuMs` of a processor, or after `longestMs` on the clock. On a busy machine a thread waits for its turn: by the
 * clock alone, its work would end without having had the time. `readCpuMs`: what the thread has used since its start.
 */
export function limitCpu(options: {
  readCpuMs: () => Promise<number>;
  cpuMs: number;
  longestMs: number;
}): Disposable & { signal: AbortSignal } {
  const { readCpuMs, cpuMs, longestMs } = options;
  const limit = new AbortController();
  const abort = (ms: number, where: string) => limit.abort(new Error(`longer than ${ms} ms ${where}`));
  // A thread that has ended has no usage: its request ends by itself.
  const read = () => readCpuMs().catch(() => 0);
  const before = read();
  let isOver = false;
  const backstop = setTimeout(() => abort(longestMs, 'on the clock'), longestMs);
  // A thread uses no more of a processor than passes on the clock.
  let timer = setTimeout(() => void look(), cpuMs);

  async function look(): Promise<void> {
    const leftMs = cpuMs - ((await read()) - (await before));
    if (isOver) return;
    if (leftMs <= 0) abort(cpuMs, 'on a processor');
    else timer = setTimeout(() => void look(), Math.max(leftMs, leastPauseMs));
  }

  return {
    signal: limit.signal,
    [Symbol.dispose]() {
      isOver = true;
      clearTimeout(timer);
      clearTimeout(backstop);
    },
  };
}
