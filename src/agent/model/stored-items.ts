/**
 * A provider's items, each as JSON text, so that no store can reorder their keys: an item that comes back reordered would no longer match
 * the prefix in the provider's cache.
 */
export const packItems = (items: readonly unknown[]): string[] => items.map((item) => JSON.stringify(item));

/** The items that `packItems` packed; empty for those that another kind of model stored. */
export function unpackItems(items: readonly unknown[]): unknown[] {
  const texts = items.filter((item) => typeof item === 'string');
  return texts.length === items.length ? texts.map((text) => JSON.parse(text)) : [];
}

/** Stands for an answer of which nothing is left to send back, so that each turn still shows one. */
export const noAnswer = '(no answer)';
