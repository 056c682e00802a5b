import type { Journal } from '../../src/agent/journal.ts';
import type { ModelAnswer, Turn } from '../../src/agent/model/model.ts';

export type MemoryJournal = Omit<Journal, 'turns'> & { turns: Turn[]; waiting: string[] };

/** A journal that keeps what a database would: plain JSON with its keys in another order. `waiting` are messages not yet handed over. */
export function createMemoryJournal(turns: Turn[] = []): MemoryJournal {
  const journal: MemoryJournal = {
    turns,
    waiting: [],
    async openTurn(index, inputs) {
      const all = [...inputs, ...journal.waiting.splice(0)];
      store(index, { inputs: all, answer: null, results: null });
      return { inputs: all, images: [] };
    },
    async saveAnswer(index, answer) {
      store(index, { ...stored(index), answer });
    },
    async compact(turns) {
      for (const [index, turn] of turns) store(index, turn);
    },
    async saveResults(index, results) {
      store(index, { ...stored(index), results });
    },
  };
  const stored = (index: number): Turn => {
    const turn = journal.turns[index];
    if (turn === undefined) {
      throw new Error(`turn ${index} was never opened`);
    }
    return turn;
  };
  const store = (index: number, turn: Turn) => {
    if (index > journal.turns.length) {
      throw new Error(`turn ${index} leaves a gap`);
    }
    journal.turns[index] = reordered(turn);
  };
  return journal;
}

/** jsonb sorts the keys of objects: whatever leans on their order must fail here too. */
export function reordered<T>(value: T): T {
  return JSON.parse(JSON.stringify(value), (_, inner: unknown) =>
    inner !== null && typeof inner === 'object' && !Array.isArray(inner)
      ? Object.fromEntries(Object.entries(inner).sort(([a], [b]) => a.length - b.length || (a < b ? -1 : 1)))
      : inner,
  );
}

/** An answer as a model gives it: text, or calls as [name, arguments]. */
export function createAnswer({
  text = '',
  calls = [],
  stop = 'end',
  tokens = 10,
}: {
  text?: string;
  calls?: [name: string, args: object | string][];
  stop?: ModelAnswer['stop'];
  tokens?: number;
}): ModelAnswer {
  return {
    text,
    toolCalls: calls.map(([name, args], index) => ({
      callId: `call_${index}`,
      name,
      arguments: typeof args === 'string' ? args : JSON.stringify(args),
    })),
    items: [],
    usage: { tokensIn: tokens, tokensOut: 0, tokensCached: 0 },
    stop,
  };
}
