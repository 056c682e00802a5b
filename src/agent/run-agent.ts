import { answerCalls } from './answer-calls.ts';
import type { Budget, LimitReached } from './budget.ts';
import {
  createCheckedFinish,
  type FindProblems,
  type Finish,
  findObjection,
  finishTool,
  parseFinish,
} from './finish.ts';
import type { Journal } from './journal.ts';
import type { Model, Turn } from './model/model.ts';
import { evaluateProgress, NoProgress } from './progress.ts';
import type { Tool } from './tool.ts';
import { untilAborted } from './until-aborted.ts';

/** How the agent's work ended: it said so, or a limit did. `sentence` is for people. */
export type AgentEnd = Finished | LimitReached;

export type { Journal };

export type Finished = { kind: 'finished'; replies: NonNullable<Finish['replies']> } & Omit<Finish, 'replies'>;

/**
 * Lets a model work with tools until it calls finish, answers with text alone (which is then its summary), or reaches a limit.
 *
 * The journal's turns are the whole state. A turn that was answered but not finished has its tools run again; one that was opened but not
 * answered is asked with exactly its stored inputs; work that has ended returns its end again without a model request, unless `opening` has
 * something to tell, which goes into the next new turn. `cacheKey` is the same for all requests of a job. The finish tool is offered
 * whether or not `tools` holds it.
 *
 * Once `signal` aborts, nothing more is begun, and a tool at work is ended. A model request under way goes on until `grace` aborts (at
 * once, if not given), and its answer is stored: whoever goes on from the journal runs its tools.
 *
 * Throws the signal's reason when aborted, `ModelRefusal`, `NoProgress`,
 * `Parked`, `ModelUnavailable` and `LeaseLost` as model, tools and journal throw them, and an `Error` with its cause when a tool of ours
 * breaks.
 */
export async function runAgent({
  model,
  tools,
  instructions,
  cacheKey,
  budget,
  journal,
  opening,
  findProblems = async () => [],
  signal,
  grace = signal,
}: {
  model: Model;
  tools: readonly Tool[];
  instructions: string;
  cacheKey: string;
  budget: Budget;
  journal: Journal;
  opening: string[];
  /** Asked when the model says that it is done: the model is sent back with what this finds, a bounded number of times. */
  findProblems?: FindProblems;
  signal: AbortSignal;
  grace?: AbortSignal;
}): Promise<AgentEnd> {
  const turns = journal.turns.map((turn) => ({ ...turn }));
  const finish = createCheckedFinish({ findProblems, turns });
  const toolbox = [...tools.filter(({ name }) => name !== finishTool.name), finish];
  const offered = toolbox.map(({ name, description, parameters }) => ({ name, description, parameters }));
  const noMore = AbortSignal.any([signal, budget.signal]);
  const noLonger = AbortSignal.any([grace, budget.signal]);
  let untold = opening;

  for (;;) {
    signal.throwIfAborted();
    const index = turns.length - 1;
    const turn = turns.at(-1);

    if (turn === undefined || turn.results !== null) {
      const end = turn && findEnd(turn);
      // A text answer calls no finish tool, which would have objected: it is asked about here.
      const isByText = end !== undefined && turn?.answer?.toolCalls.length === 0;
      const objection = isByText ? await findObjection({ findProblems, turns, signal }) : undefined;
      if (end !== undefined && objection === undefined && untold.length === 0) {
        return end;
      }
      const nudges = end === undefined ? nudge(turns) : objection === undefined ? [] : [objection];
      const limit = budget.beforeTurn();
      if (limit !== undefined) {
        return limit;
      }
      const warnings = budget.warnings().filter((line) => !turns.some(({ inputs }) => inputs.includes(line)));
      const inputs = await journal.openTurn(index + 1, [...untold, ...nudges, ...warnings]);
      budget.countTurn();
      turns.push({ inputs, answer: null, results: null });
      untold = [];
    } else if (turn.answer === null) {
      const limit = budget.beforeRequest();
      if (limit !== undefined) {
        return limit;
      }
      try {
        const request = { instructions, turns, tools: offered, cacheKey };
        turn.answer = await untilAborted(model.respond(request, noMore, noLonger), noLonger, 0);
      } catch (error) {
        signal.throwIfAborted();
        if (budget.signal.aborted) {
          continue;
        }
        throw error;
      }
      budget.countTokens(turn.answer.usage.tokensIn + turn.answer.usage.tokensOut);
      await journal.saveAnswer(index, turn.answer);
    } else {
      const results = await answerCalls({ answer: turn.answer, tools: toolbox, budget, signal });
      await journal.saveResults(index, results);
      turn.results = results;
    }
  }
}

function nudge(turns: readonly Turn[]): string[] {
  const progress = evaluateProgress(turns);
  if (progress.kind === 'given_up') {
    throw new NoProgress(progress.reason);
  }
  return progress.kind === 'nudge' ? [progress.text] : [];
}

/** The end that a complete turn brought: its accepted finish call, or its text if it called nothing and was not cut off. */
function findEnd({ answer, results }: Turn): Finished | undefined {
  const accepted = answer?.toolCalls.find(
    ({ name }, index) => name === finishTool.name && results?.[index]?.isError === false,
  );
  if (accepted !== undefined) {
    const { replies = [], ...finish } = parseFinish(accepted.arguments);
    return { kind: 'finished', ...finish, replies };
  }
  const summary = answer?.toolCalls.length === 0 && answer.stop === 'end' ? answer.text.trim() : '';
  return summary === '' ? undefined : { kind: 'finished', summary, replies: [] };
}
