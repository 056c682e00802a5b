import { findImageType, type Image, imageTypes, maxImageBytes } from './image.ts';

type Downloaded = { kind: 'image'; image: Image } | { kind: 'refused'; problem: string };

const longestMs = 15_000;
const refused = (problem: string): Downloaded => ({ kind: 'refused', problem });

/** Follows no redirect, sends no credentials, and stops at the limit of an image. Throws the signal's reason only. */
export async function downloadImage(url: string, signal: AbortSignal): Promise<Downloaded> {
  const within = AbortSignal.any([signal, AbortSignal.timeout(longestMs)]);
  try {
    const response = await fetch(url, { redirect: 'error', credentials: 'omit', signal: within });
    if (response.status !== 200 || response.body === null) {
      await response.body?.cancel();
      return refused(`GitHub answered ${response.status} for it`);
    }
    const content = await readBounded(response.body);
    if (content === undefined) return refused(`it is larger than ${maxImageBytes / 1024 / 1024} MiB`);
    const mediaType = findImageType(content);
    if (mediaType !== undefined) return { kind: 'image', image: { mediaType, content } };
    return refused(`it is none of ${imageTypes.join(', ')}`);
  } catch {
    signal.throwIfAborted();
    return refused('it could not be loaded from GitHub');
  }
}

/** Undefined: it is too large. */
async function readBounded(body: ReadableStream<Uint8Array>): Promise<Uint8Array | undefined> {
  const parts: Uint8Array[] = [];
  let size = 0;
  for await (const part of body) {
    size += part.byteLength;
    if (size > maxImageBytes) return undefined;
    parts.push(part);
  }
  return Buffer.concat(parts);
}
