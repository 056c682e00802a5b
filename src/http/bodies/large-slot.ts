/** A large body that waits for the slot, or has it. */
export interface Contender {
  /** How many bytes have arrived. */
  readonly received: number;
  /** Bytes per millisecond. */
  readonly rate: number;
  /** Called when it gets the slot. */
  admit: () => void;
  /** Called when it must give up the slot, or its place among those that wait. It frees its memory, then calls `leave`. */
  refuse: (detail: string) => void;
}

/**
 * Admits one large body at a time: the fastest of those that wait, and of equals the latest. While others wait, the holder must go on sending,
 * so nobody keeps the slot by being slow.
 */
export function createLargeSlot(options: {
  maxWaiting: number;
  /** The least that the holder must send in each window. */
  bytesPerWindow: number;
  windowMs: number;
  maxWaitMs: number;
}) {
  const { maxWaiting, bytesPerWindow, windowMs, maxWaitMs } = options;
  const waiting = new Map<Contender, { rate: number; timer: NodeJS.Timeout }>();
  let holder: Contender | undefined;
  let watch: NodeJS.Timeout | undefined;

  function stopWatch(): void {
    clearInterval(watch);
    watch = undefined;
  }

  function startWatch(): void {
    if (!holder || watch || waiting.size === 0) return;
    let before = holder.received;
    watch = setInterval(() => {
      if (!holder || waiting.size === 0) return stopWatch();
      if (holder.received - before < bytesPerWindow)
        return holder.refuse('This large body arrived too slowly while others waited.');
      before = holder.received;
    }, windowMs);
  }

  function stopWaiting(contender: Contender): void {
    clearTimeout(waiting.get(contender)?.timer);
    waiting.delete(contender);
  }

  function leave(contender: Contender): void {
    stopWaiting(contender);
    if (contender !== holder) return;
    holder = undefined;
    stopWatch();
    admitFastest();
  }

  function admitFastest(): void {
    const [fastest] = [...waiting].reverse().sort(([, one], [, other]) => other.rate - one.rate);
    if (fastest && !holder) {
      [holder] = fastest;
      stopWaiting(holder);
      holder.admit();
    }
    startWatch();
  }

  return {
    enter(contender: Contender): void {
      const [slowest] = [...waiting].sort(([, one], [, other]) => one.rate - other.rate);
      if (slowest && waiting.size >= maxWaiting) slowest[0].refuse('Too many large bodies arrived at once.');
      const timer = setTimeout(() => contender.refuse('Other large bodies arrived first.'), maxWaitMs);
      waiting.set(contender, { rate: contender.rate, timer });
      admitFastest();
    },
    /** Does nothing for an unknown contender. */
    leave,
    isWaiting: (contender: Contender) => waiting.has(contender),
  };
}
