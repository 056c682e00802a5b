import type { Turn } from './model.ts';

/**
 * Writes the bodies of one model's requests, as JSON: an object of `fields`, and under `list` the items of `lead` and of each turn.
 *
 * A complete turn is written once, and all later bodies share its bytes. A conversation is hundreds of kilobytes: a worker with fifty of
 * them would otherwise hold a text of each, and build it anew with every turn.
 */
export function createBodyWriter<Item extends object>({
  list,
  toItems,
}: {
  list: string;
  /** The items that a turn becomes: always the same, whichever turns stand around it. */
  toItems: (turn: Turn) => readonly Item[];
}) {
  const written = new WeakMap<Turn, Blob>();
  const writeItems = (items: readonly object[]) => new Blob(items.map((item) => `,${JSON.stringify(item)}`));

  function writeTurn(turn: Turn): Blob {
    const blob = written.get(turn) ?? writeItems(toItems(turn));
    // A turn without results still changes.
    if (turn.results !== null) written.set(turn, blob);
    return blob;
  }

  return ({ lead = [], turns, fields }: { lead?: readonly Item[]; turns: readonly Turn[]; fields: object }): Blob => {
    const items = new Blob([writeItems(lead), ...turns.map(writeTurn)]);
    // Every item is written with a comma before it, and the first one is taken off.
    const parts = [JSON.stringify(fields).slice(0, -1), `,"${list}":[`, items.slice(1), ']}'];
    return new Blob(parts, { type: 'application/json' });
  };
}

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
