/**
 * A provider's items as JSON text each: whatever keeps them cannot reorder their keys then, and an item that comes back reordered would
 * no longer be the same prefix for the provider's cache.
 */
export const packItems = (items: readonly unknown[]): string[] => items.map((item) => JSON.stringify(item));

/** The items that `packItems` packed; empty when these are not its work (stored by another kind of model). */
export function unpackItems(items: readonly unknown[]): unknown[] {
  const texts = items.filter((item) => typeof item === 'string');
  return texts.length === items.length ? texts.map((text) => JSON.parse(text)) : [];
}

/** Stands for an answer of which nothing is left to send back, so that each turn still shows one. */
export const noAnswer = '(no answer)';
