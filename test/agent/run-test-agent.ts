import { z } from 'zod';
import { createBudget } from '../../src/agent/budget.ts';
import { runAgent } from '../../src/agent/run-agent.ts';
import { createTool, type Tool, type ToolResult } from '../../src/agent/tool.ts';

type Options = Parameters<typeof runAgent>[0];

/** Runs an agent that has room for everything, but for what `options` say. */
export const runTestAgent = (options: Partial<Options> & { model: Options['model']; journal: Options['journal'] }) =>
  runAgent({
    tools: [],
    instructions: 'Be brief.',
    cacheKey: 'job_1',
    budget: createTestBudget(),
    opening: options.journal.turns.length === 0 ? ['go'] : [],
    contextTokens: 200_000,
    signal: new AbortController().signal,
    ...options,
  });

export const createTestBudget = (limits: Partial<Parameters<typeof createBudget>[0]> = {}) =>
  createBudget({
    maxTurns: 1_000,
    maxTokens: 100_000_000,
    maxSeconds: 3_600,
    maxChangedFiles: 1_000,
    maxChangedBytes: 10_000_000,
    spent: { turns: 0, tokens: 0, activeMs: 0 },
    measureChange: () => ({ files: 0, bytes: 0 }),
    ...limits,
  });

/** A tool without arguments. */
export const createPlainTool = (
  name: string,
  execute: (args: object, signal: AbortSignal) => Promise<ToolResult> | ToolResult,
): Tool => createTool({ name, description: 'A tool.', arguments: z.object({}), execute });
