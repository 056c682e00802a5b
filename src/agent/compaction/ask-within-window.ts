import { BadRequestError } from 'openai';
import type { Journal } from '../journal.ts';
import { ModelRefusal } from '../model/errors.ts';
import { estimateImageTokens } from '../model/images.ts';
import type { ModelAnswer, Turn } from '../model/model.ts';
import { estimateTokens } from '../model/usage.ts';
import { type Cut, compactTurn } from './compact-turn.ts';

/** `turns`: the compacted ones, by index. Tokens of the next request's input: real counts as far as there are any. */
export interface Compaction {
  turns: ReadonlyMap<number, Turn>;
  tokensBefore: number;
  tokensAfter: number;
}

/** Shares of the model's window: when to compact, and to which share. */
const [fullFrom, downTo] = [0.7, 0.4];
/** A compaction makes the provider's cache useless: below this share, one that saves little waits, and recent turns stay. */
const urgentFrom = 0.9;
const leastSavedShare = 0.1;

/** The results of the last complete turn are new to the model, and it still works with those of some turns before it. */
const recentTurns = 6;
const fewestRecentTurns = 1;

/**
 * Whether and how to compact before the request of the last turn, which is open. Depends on the stored turns alone. Cuts the oldest first,
 * and of recent turns as little as possible.
 */
export function planCompaction(options: { turns: readonly Turn[]; contextTokens: number }): Compaction | undefined {
  const { turns, contextTokens } = options;
  const index = turns.length - 1;
  // The last count is from before that compaction.
  if (turns.some(({ compactedFor }) => compactedFor === index)) return undefined;
  const tokensBefore = estimateInput(turns);
  if (tokensBefore <= fullFrom * contextTokens) return undefined;
  const draft = createDraft(turns);
  const compactTo = (share: number, recent: number, cut: Cut) =>
    draft.cut({ cut, recent, saving: tokensBefore - share * contextTokens });
  compactTo(downTo, recentTurns, 'results');
  compactTo(downTo, recentTurns, 'arguments');
  const isUrgent = tokensBefore > urgentFrom * contextTokens;
  if (isUrgent) {
    compactTo(fullFrom, fewestRecentTurns, 'results');
    compactTo(fullFrom, fewestRecentTurns, 'arguments');
  }
  const isWorthIt = isUrgent || draft.saved() >= leastSavedShare * contextTokens;
  return isWorthIt ? draft.finish(tokensBefore) : undefined;
}

/** After the server refused the input as too long: the first of these that still saves anything. */
export function planHarderCompaction(turns: readonly Turn[]): Compaction | undefined {
  for (const recent of [recentTurns, recentTurns / 2, fewestRecentTurns]) {
    const draft = createDraft(turns);
    draft.cut({ cut: 'results', recent, saving: Number.POSITIVE_INFINITY });
    draft.cut({ cut: 'arguments', recent, saving: Number.POSITIVE_INFINITY });
    if (draft.saved() > 0) return draft.finish(estimateInput(turns));
  }
  return undefined;
}

function createDraft(turns: readonly Turn[]) {
  const compacted = new Map<number, Turn>();
  const index = turns.length - 1;
  let saved = 0;
  return {
    saved: () => saved,
    /** Cuts turns, oldest first, until `saving` tokens are saved in all. */
    cut({ cut, recent, saving }: { cut: Cut; recent: number; saving: number }): void {
      for (const [at, turn] of turns.slice(0, Math.max(0, index - recent)).entries()) {
        if (saved >= saving) return;
        const before = compacted.get(at) ?? turn;
        const after = compactTurn(before, cut);
        if (after === before) continue;
        saved += measure(before) - measure(after);
        compacted.set(at, { ...after, compactedFor: index });
      }
    },
    finish: (tokensBefore: number): Compaction | undefined =>
      compacted.size === 0 ? undefined : { turns: compacted, tokensBefore, tokensAfter: tokensBefore - saved },
  };
}

/** The size of the request of the last turn: the counts of the last answer, and an estimate of the items after it. */
function estimateInput(turns: readonly Turn[]): number {
  const last = turns.findLastIndex(({ answer }) => answer !== null);
  const usage = turns[last]?.answer?.usage;
  const counted = usage ? usage.tokensIn + usage.tokensOut : 0;
  const later = turns.slice(last + 1);
  const texts = later.flatMap(({ inputs }) => inputs);
  return counted + sum([...listOutputs(turns[last]), ...texts]) + estimateImageTokens(later);
}

const measure = (turn: Turn) =>
  sum([...listOutputs(turn), ...(turn.answer?.toolCalls ?? []).map((call) => call.arguments)]);

const listOutputs = (turn: Turn | undefined) => (turn?.results ?? []).map(({ output }) => output);

const sum = (texts: readonly string[]) =>
  texts.map((text) => estimateTokens(Buffer.byteLength(text))).reduce((one, other) => one + other, 0);

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
