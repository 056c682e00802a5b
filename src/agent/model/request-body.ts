import type { Turn } from './model.ts';

/** `toItems` depends on the turn alone. Serializes each complete turn once for all bodies: a worker may have fifty conversations of hundreds of kilobytes. */
export function createBodyWriter(list: string, toItems: (turn: Turn) => readonly object[]) {
  const written = new WeakMap<Turn, Blob>();
  const writeItems = (items: readonly object[]) => new Blob(items.map((item) => `,${JSON.stringify(item)}`));

  function writeTurn(turn: Turn): Blob {
    const blob = written.get(turn) ?? writeItems(toItems(turn));
    // A turn without results may still change.
    if (turn.results !== null) written.set(turn, blob);
    return blob;
  }

  return ({ lead = [], turns, fields }: { lead?: readonly object[]; turns: readonly Turn[]; fields: object }): Blob => {
    const items = new Blob([writeItems(lead), ...turns.map(writeTurn)]);
    // Each item starts with a comma; the first comma is cut.
    const parts = [JSON.stringify(fields).slice(0, -1), `,"${list}":[`, items.slice(1), ']}'];
    return new Blob(parts, { type: 'application/json' });
  };
}

/** Items as JSON texts, so that no store can reorder their keys: the provider's prompt cache matches exact prefixes. */
export const packItems = (items: readonly unknown[]): string[] => items.map((item) => JSON.stringify(item));

/** The items of `packItems`; empty for items of another format. */
export function unpackItems(items: readonly unknown[]): unknown[] {
  const texts = items.filter((item) => typeof item === 'string');
  return texts.length === items.length ? texts.map((text) => JSON.parse(text)) : [];
}

export const noAnswer = '(no answer)';
