import type { Kept } from '../../deliveries/github-event.ts';
import type { ThreadTask } from '../../threads/threads.ts';
import { type ReadJson, readJson } from '../bodies/read-json.ts';

interface SentPayload {
  bytes: Uint8Array<ArrayBuffer>;
  kept: Kept;
}

/** The needed part of a webhook's body. Keeps values of another shape, for the schema to refuse. */
export function readPayload({ bytes, kept }: SentPayload): ReadJson {
  const read = readJson(bytes);
  return read.kind === 'json' ? { kind: 'json', value: keep(read.value, kept) } : read;
}

/** 18 MB take half a second. Stands alone: a thread that imported the receiver would load every handler. */
export const readPayloadTask: ThreadTask<SentPayload, ReadJson> = {
  module: import.meta.url,
  work: readPayload,
  isUrgent: true,
  isSmall: ({ bytes }) => bytes.length <= 128 * 1024,
  transfer: ({ bytes }) => [bytes.buffer],
};

function keep(value: unknown, kept: Kept): unknown {
  if (kept === true || typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) {
    if ('items' in kept) return value.map((item) => keep(item, kept.items));
    if (!('prefix' in kept)) return value;
    return value.filter((item) => typeof item !== 'string' || item.startsWith(kept.prefix));
  }
  if (!('keys' in kept)) return value;
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, child]) => {
      const rest = Object.hasOwn(kept.keys, key) ? kept.keys[key] : undefined;
      return rest === undefined ? [] : [[key, keep(child, rest)]];
    }),
  );
}
