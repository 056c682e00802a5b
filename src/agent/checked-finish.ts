import { finishTool } from './finish.ts';
import type { Turn } from './model.ts';
import { type Tool, toolError } from './tool.ts';

/** What is wrong with the work as it stands, one sentence each, written for the model; none: nothing. */
export type FindProblems = (signal: AbortSignal) => Promise<string[]>;

/** So often the end is held up; then it is taken as it is. */
const maxHeldUp = 2;

/** Begins what the model is told then; so often as it stands in the turns, the end was held up. */
const opening = 'not finished yet; solve this first, then call finish again:';

/** What the model is told instead of being let go, a bounded number of times; undefined when it may end. */
export async function findObjection({
  findProblems,
  turns,
  signal,
}: {
  findProblems: FindProblems;
  turns: readonly Turn[];
  signal: AbortSignal;
}): Promise<string | undefined> {
  if (countHeldUp(turns) >= maxHeldUp) return undefined;
  const problems = await findProblems(signal);
  return problems.length === 0 ? undefined : [opening, ...problems].join('\n');
}

/** The finish tool, which sends the model back to work while there are problems. `turns` are all so far, the one being worked on included. */
export function createCheckedFinish(given: { findProblems: FindProblems; turns: readonly Turn[] }): Tool {
  return {
    ...finishTool,
    async call(argumentsText, signal) {
      const result = await finishTool.call(argumentsText, signal);
      const objection = result.isError ? undefined : await findObjection({ ...given, signal });
      return objection === undefined ? result : toolError(objection);
    },
  };
}

const countHeldUp = (turns: readonly Turn[]) =>
  turns
    .flatMap(({ inputs, results }) => [...inputs, ...(results ?? []).map(({ output }) => output)])
    .filter((text) => text.startsWith(opening)).length;
