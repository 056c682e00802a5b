import { finishTool } from './finish.ts';
import type { Turn } from './model/model.ts';
import { type Tool, toolError } from './tool.ts';

/** Finds what is wrong with the work as it stands: one sentence each, written for the model; empty when nothing is. */
export type FindProblems = (signal: AbortSignal) => Promise<string[]>;

/** How often the model is sent back to work; after that its end is taken as it is. */
const maxHeldUp = 2;

/** How the message that sends the model back begins; the turns that hold it are counted to know how often that was. */
const opening = 'not finished yet; solve this first, then call finish again:';

/**
 * The message that sends the model back to work, a bounded number of times; undefined when it may end. `failed` names the tools whose calls
 * failed in the answer that ends.
 */
export async function findObjection({
  findProblems,
  turns,
  signal,
  failed = new Set(),
}: {
  findProblems: FindProblems;
  turns: readonly Turn[];
  signal: AbortSignal;
  failed?: ReadonlySet<string> | undefined;
}): Promise<string | undefined> {
  if (countHeldUp(turns) >= maxHeldUp) return undefined;
  // The summary was written before the model could know of failed calls.
  const problems = [...(failed.size > 0 ? [describeFailed(failed)] : []), ...(await findProblems(signal))];
  return problems.length === 0 ? undefined : [opening, ...problems].join('\n');
}

/**
 * The finish tool, which sends the model back to work while there are problems, or when calls beside it failed. `turns` holds all turns so
 * far, including the one being worked on.
 */
export function createCheckedFinish(given: { findProblems: FindProblems; turns: readonly Turn[] }): Tool {
  return {
    ...finishTool,
    async call(argumentsText, signal, failed) {
      const result = await finishTool.call(argumentsText, signal);
      const objection = result.isError ? undefined : await findObjection({ ...given, signal, failed });
      return objection === undefined ? result : toolError(objection);
    },
  };
}

const describeFailed = (names: ReadonlySet<string>) =>
  `these calls beside it failed: ${[...names].join(', ')}. Look at their results: the summary must not claim what was not done.`;

const countHeldUp = (turns: readonly Turn[]) =>
  turns
    .flatMap(({ inputs, results }) => [...inputs, ...(results ?? []).map(({ output }) => output)])
    .filter((text) => text.startsWith(opening)).length;
