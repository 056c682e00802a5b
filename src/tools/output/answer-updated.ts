import { type ToolResult, toolError, toolOk } from '../../agent/tool.ts';
import { joinRows } from './join-rows.ts';
import type { ToolLimits } from './limits.ts';

/** The answer of a tool that updates what leads to a file. An error where a part of that is left, which comes first. */
export function answerUpdated(options: {
  done: string;
  rows: readonly string[];
  notUpdated: readonly string[];
  limits: ToolLimits;
}): ToolResult {
  const { done, rows, notUpdated, limits } = options;
  const join = (all: readonly string[]) => joinRows(all, limits.maxCharacters, (rest) => `${rest} more lines`);
  if (notUpdated.length === 0) return toolOk(join([done, ...rows]));
  return toolError(join([`${done}, but not updated:`, ...notUpdated, ...rows]));
}
