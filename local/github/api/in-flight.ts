/** Tracks work whose client may be gone. Stopping waits for it, so that nothing writes into a removed directory. */
export function createInFlight() {
  const works = new Set<Promise<void>>();
  return {
    async track(work: Promise<void>): Promise<void> {
      works.add(work);
      try {
        await work;
      } finally {
        works.delete(work);
      }
    },
    async settled(): Promise<void> {
      while (works.size > 0) await Promise.allSettled(works);
    },
  };
}

export type InFlight = ReturnType<typeof createInFlight>;
