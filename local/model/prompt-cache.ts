import { countTokens } from './plan-answer.ts';

/** How many earlier prompts of one key are compared. */
const REMEMBERED = 50;

/**
 * Tells how many tokens of a prompt a provider would have found in its cache: the longest beginning that it shares, part by part, with
 * an earlier prompt of the same key. Unlike OpenAI's it counts short prompts too and does not round, so that tests can be exact.
 */
export function createPromptCache() {
  const earlier = new Map<string, string[][]>();
  return {
    /** `prompt` is the conversation's parts in order. Remembers it and returns the cached tokens. */
    look({ cacheKey, prompt }: { cacheKey: string; prompt: string[] }): number {
      const known = earlier.get(cacheKey) ?? [];
      const shared = Math.max(0, ...known.map((other) => countShared(prompt, other)));
      earlier.set(cacheKey, [...known.slice(1 - REMEMBERED), prompt]);
      return shared === 0 ? 0 : countTokens(prompt.slice(0, shared).join('\n'));
    },
  };
}

function countShared(prompt: string[], other: string[]): number {
  const differs = prompt.findIndex((part, index) => part !== other[index]);
  return differs === -1 ? prompt.length : differs;
}
