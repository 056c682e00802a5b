import { listImages } from '../text/list-images.ts';

/** Counts the images of a message that the model sees, and those that it does not. `stored` is empty without OPENAI_IMAGES. */
export function countImages(
  prompt: string,
  stored: readonly { address: string | null; problem: string | null }[],
): { seen: number; unseen: number; reasons: string[] } {
  const known = new Set(stored.map(({ address }) => address));
  const problems = stored.flatMap(({ problem }) => problem ?? []);
  const others = listImages(prompt).filter((address) => !known.has(address));
  return { seen: stored.length - problems.length, unseen: problems.length + others.length, reasons: problems };
}
