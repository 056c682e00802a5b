import { realTiming } from '../../timing.ts';
import { HttpProblem } from '../problem.ts';
import { type Contender, createLargeSlot } from './large-slot.ts';

const kibibyte = 1024;
const mebibyte = 1024 * kibibyte;

/** In bytes. All bodies that are being received take at most `allSmall` and `large` together: 33 MiB. */
export const bodyLimits = {
  /** A small body is always admitted. Nearly all webhooks are small, and all bodies of the API without images. */
  small: 256 * kibibyte,
  allSmall: 5 * mebibyte,
  /** GitHub sends nothing larger: https://docs.github.com/en/webhooks/webhook-events-and-payloads#payload-cap */
  webhook: 25 * mebibyte,
  /** Five images of 4 MiB in base64, and an instruction. */
  large: 28 * mebibyte,
  /** A large body gets the memory for the rest only when it has sent this much. */
  largeStart: 64 * kibibyte,
  /** In each window of `realTiming.http.largeBodyWindowMs`. */
  largePerWindow: 256 * kibibyte,
  /** The least that a body counts. */
  least: 4 * kibibyte,
  /** A number, not bytes. */
  largeWaiting: 8,
};

/** A body as it arrives. Disposing it frees the memory at once, not at the next garbage collection: do not use `bytes` later. */
export interface ArrivingBody extends Disposable {
  /** Copies a part. A returned promise settles when there is memory for the next part, or when the body is refused; it never rejects. */
  add(part: Buffer): Promise<void> | undefined;
  /** The bytes so far. Empty when the body is refused or disposed. */
  readonly bytes: Buffer;
}

interface Share extends Contender {
  buffer: Buffer;
  received: number;
}

/** A body that has just begun is not slow yet. */
const leastAgeMs = 100;

/**
 * Shares a fixed amount of memory among the request bodies of this process, so that nobody can use it up by sending slowly or not at all:
 * - A small body gets its memory at once. If there is none left, the slowest bodies are refused.
 * - A large body begins as a small one. When its start has arrived, it waits for the slot of the one large body.
 */
export function createBodyBudget(
  options: {
    limits?: typeof bodyLimits;
    timing?: { largeBodyWaitMs: number; largeBodyWindowMs: number };
    now?: () => number;
  } = {},
) {
  const { limits = bodyLimits, timing = realTiming.http, now = () => performance.now() } = options;
  /** The bytes that each body counts in the memory for small ones. */
  const charges = new Map<Share, number>();
  let smallBytes = 0;
  let largeBytes = 0;
  /** Kept: allocating 28 MiB again and again would fragment the heap. The system allocates its pages when they are written. */
  let largeBuffer: Buffer | undefined;
  const slot = createLargeSlot({
    maxWaiting: limits.largeWaiting,
    bytesPerWindow: limits.largePerWindow,
    windowMs: timing.largeBodyWindowMs,
    maxWaitMs: timing.largeBodyWaitMs,
  });

  function leaveSmall(share: Share): void {
    smallBytes -= charges.get(share) ?? 0;
    charges.delete(share);
  }

  function makeRoom(bytes: number): void {
    while (smallBytes + bytes > limits.allSmall) {
      const slowest = findSlowest([...charges.keys()].filter((share) => !slot.isWaiting(share)));
      if (!slowest) return;
      slowest.refuse('Too many requests arrived at once, and this one was the slowest.');
    }
  }

  return {
    /**
     * `size` is the declared length, at most `limits.large`. Calls `refuse` at most once, when another body needs the memory of this one; the
     * memory is free by then.
     */
    open({ size, refuse }: { size: number; refuse: (problem: HttpProblem) => void }): ArrivingBody {
      const startedAt = now();
      const length = size > limits.small ? limits.largeStart : size;
      const charge = Math.max(length, limits.least);
      makeRoom(charge);
      let admitted: PromiseWithResolvers<void> | undefined;
      let ownLargeBytes = 0;

      function close(): void {
        leaveSmall(share);
        largeBytes -= ownLargeBytes;
        if (ownLargeBytes === 0) detach(share.buffer);
        ownLargeBytes = 0;
        share.buffer = Buffer.alloc(0);
        slot.leave(share);
        admitted?.resolve();
      }
      const share: Share = {
        buffer: Buffer.allocUnsafeSlow(length),
        received: 0,
        get rate() {
          return share.received / Math.max(now() - startedAt, leastAgeMs);
        },
        admit() {
          leaveSmall(share);
          ownLargeBytes = size;
          largeBytes += size;
          const start = share.buffer;
          largeBuffer ??= Buffer.allocUnsafeSlow(limits.large);
          share.buffer = largeBuffer.subarray(0, size);
          start.copy(share.buffer);
          detach(start);
          admitted?.resolve();
        },
        refuse(detail) {
          close();
          refuse(tooBusy(detail));
        },
      };
      charges.set(share, charge);
      smallBytes += charge;

      const copy = (part: Buffer) => {
        share.received += part.copy(share.buffer, share.received);
      };
      return {
        add(part) {
          const room = share.buffer.length - share.received;
          if (part.length <= room || !charges.has(share)) {
            copy(part);
            return undefined;
          }
          copy(part.subarray(0, room));
          admitted = Promise.withResolvers();
          slot.enter(share);
          return admitted.promise.then(() => copy(part.subarray(room)));
        },
        get bytes() {
          return share.buffer.subarray(0, share.received);
        },
        [Symbol.dispose]: close,
      };
    },
    /** The memory of all open bodies, in bytes. */
    countBytes: () => smallBytes + largeBytes,
  };
}

export type BodyBudget = ReturnType<typeof createBodyBudget>;

function findSlowest(shares: readonly Share[]): Share | undefined {
  const rates = shares.map(({ rate }) => rate);
  return shares[rates.indexOf(Math.min(...rates))];
}

/** Frees the memory of a buffer, which must have its own. */
function detach({ buffer }: Buffer): void {
  if (buffer instanceof ArrayBuffer) buffer.transfer(0);
}

const tooBusy = (detail: string) =>
  new HttpProblem('unavailable', `${detail} Send it again in a few seconds.`, {
    headers: { 'Retry-After': '10', Connection: 'close' },
  });
