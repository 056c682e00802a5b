import { listImages } from '../text/list-images.ts';

/** Of a message: the images that the model sees, and those that it does not. `stored`: without OPENAI_IMAGES, none. */
export function countImages(
  prompt: string,
  stored: readonly { address: string | null; problem: string | null }[],
): { seen: number; unseen: number; reasons: string[] } {
  const known = new Set(stored.map(({ address }) => address));
  const problems = stored.flatMap(({ problem }) => problem ?? []);
  const others = listImages(prompt).filter((address) => !known.has(address));
  return { seen: stored.length - problems.length, unseen: problems.length + others.length, reasons: problems };
}
