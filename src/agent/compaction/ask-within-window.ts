import { BadRequestError } from 'openai';
import type { Journal } from '../journal.ts';
import { ModelRefusal } from '../model/errors.ts';
import type { ModelAnswer, Turn } from '../model/model.ts';
import { type Compaction, planCompaction, planHarderCompaction } from './plan-compaction.ts';

/** Called after each compaction, for the log. */
export type OnCompacted = (compaction: Compaction & { turnIndex: number }) => void;

/**
 * Asks for the answer of the last turn. Compacts `turns` and the journal first where the conversation fills its share of the window, and
 * again, each time harder, while the server refuses it as too long. Throws what `ask` throws.
 */
export async function askWithinWindow(
  ask: () => Promise<ModelAnswer>,
  options: {
    turns: Turn[];
    journal: { compact: Journal['compact'] };
    contextTokens: number;
    onCompacted: OnCompacted;
  },
): Promise<ModelAnswer> {
  const { turns, journal, contextTokens, onCompacted } = options;
  const turnIndex = turns.length - 1;
  const apply = async (compaction: Compaction) => {
    await journal.compact(compaction.turns);
    for (const [index, turn] of compaction.turns) turns[index] = turn;
    onCompacted({ ...compaction, turnIndex });
  };
  const planned = planCompaction({ turns, contextTokens });
  if (planned) await apply(planned);
  for (;;) {
    try {
      return await ask();
    } catch (error) {
      const harder = isTooLong(error) ? planHarderCompaction(turns) : undefined;
      if (!harder) throw error;
      await apply(harder);
    }
  }
}

/** Some compatible servers refuse an input that is too long with a bare 400, like anything else that they refuse. */
const isTooLong = (error: unknown) =>
  error instanceof ModelRefusal &&
  (error.reason === 'model_context' || (error.reason === 'model_invalid' && error.cause instanceof BadRequestError));
