import { readFileSync } from 'node:fs';
import { Worker } from 'node:worker_threads';
import { z } from 'zod';

const probeShape = z.object({ status: z.number(), tookMs: z.number() });

/** Requests `/livez` all the time from a separate thread, and reads the memory of the process. */
export function watchHealth({ url, pid }: { url: string; pid: number }) {
  const probes: z.infer<typeof probeShape>[] = [];
  const worker = new Worker(new URL(import.meta.resolve('./probe.ts')), { workerData: { url } });
  worker.on('message', (probe: unknown) => void probes.push(probeShape.parse(probe)));
  return {
    /** The answers since the last call: how many, how many bad ones, the slowest one. */
    take() {
      const taken = probes.splice(0);
      return {
        count: taken.length,
        failed: taken.filter(({ status }) => status !== 200).length,
        slowestMs: Math.round(Math.max(0, ...taken.map(({ tookMs }) => tookMs))),
      };
    },
    /** In MB. 0 where there is no /proc. */
    readMemory(): number {
      try {
        return Number(/^VmRSS:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1024;
      } catch {
        return 0;
      }
    },
    [Symbol.asyncDispose]: async () => void (await worker.terminate()),
  };
}

/** 32 MB of unsigned bodies, and what the garbage collector has not yet collected. */
const mostMemoryMb = 160;

/** The faults of an attack, and one more if the memory of the service grew much. */
export async function watchMemory(
  { health }: { health: ReturnType<typeof watchHealth> },
  attack: (look: () => void) => Promise<string[]>,
): Promise<string[]> {
  const before = health.readMemory();
  let most = before;
  const look = () => {
    most = Math.max(most, health.readMemory());
  };
  const timer = setInterval(look, 50);
  const found = await attack(look);
  clearInterval(timer);
  const grown = most - before > mostMemoryMb ? [`memory grew from ${before.toFixed()} to ${most.toFixed()} MB`] : [];
  return [...new Set(found), ...grown];
}
