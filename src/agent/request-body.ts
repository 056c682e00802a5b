import type { Turn } from './model.ts';

/**
 * Writes the bodies of one model's requests, as JSON: an object of `fields`, and under `list` the items of `lead` and of each turn.
 *
 * A turn that is complete is written once, and all later bodies share its bytes: a conversation is hundreds of kilobytes, and whoever
 * holds fifty of them would else hold, and throw away with every turn, a text of each.
 */
export function createBodyWriter<Item extends object>({
  list,
  toItems,
}: {
  list: string;
  /** What a turn is told as. The same turn gives the same items, whichever turns stand around it. */
  toItems: (turn: Turn) => readonly Item[];
}) {
  const written = new WeakMap<Turn, Blob>();
  const writeItems = (items: readonly object[]) => new Blob(items.map((item) => `,${JSON.stringify(item)}`));

  function writeTurn(turn: Turn): Blob {
    const blob = written.get(turn) ?? writeItems(toItems(turn));
    // Until then something is still added to it.
    if (turn.results !== null) written.set(turn, blob);
    return blob;
  }

  return ({ lead = [], turns, fields }: { lead?: readonly Item[]; turns: readonly Turn[]; fields: object }): Blob => {
    const items = new Blob([writeItems(lead), ...turns.map(writeTurn)]);
    // The first item has a comma before it as well.
    const parts = [JSON.stringify(fields).slice(0, -1), `,"${list}":[`, items.slice(1), ']}'];
    return new Blob(parts, { type: 'application/json' });
  };
}
