import { isFields } from './model/join/join-deltas.ts';
import type { Turn } from './model/model.ts';
import { writtenCallMarks } from './model/quirks.ts';

const longestCall = 20_000;

/**
 * Whether an answer without calls has one in its text: its server did not recognize it, and nothing ran. `toolNames`: what the model was
 * offered, because a page about models may show any of the marks.
 */
export function isWrittenCall({ answer }: Turn, toolNames: readonly string[]): boolean {
  if (answer === null || answer.toolCalls.length > 0) return false;
  const { text } = answer;
  const isNamed = (part: string) => toolNames.some((name) => part.includes(name));
  const isMarked = writtenCallMarks.some((mark) => {
    const at = text.indexOf(mark);
    return at >= 0 && text[at - 1] !== '`' && isNamed(text.slice(at, at + longestCall));
  });
  return isMarked || listObjects(text).some((object) => toolNames.includes(readName(object) ?? ''));
}

/** The whole text, and its fenced blocks. */
function listObjects(text: string): unknown[] {
  return [text, ...text.split('```').filter((_, index) => index % 2 === 1)].flatMap((part) => {
    const begin = part.indexOf('{');
    const head = part.slice(0, Math.max(0, begin)).trim();
    // Before the object stands at most the language of the block, or the bracket of a list.
    if (begin < 0 || !/^(?:json|tool_code|tool_call)?\s*\[?$/.test(head)) return [];
    try {
      const value: unknown = JSON.parse(part.trim().replace(/^(?:json|tool_code|tool_call)\b/, ''));
      return Array.isArray(value) ? value : [value];
    } catch {
      return [];
    }
  });
}

/** `{"name", "arguments"}`, `{"name", "parameters"}`, `{"function": {…}}`, `{"tool_calls": […]}`. */
function readName(value: unknown): string | undefined {
  if (!isFields(value)) return undefined;
  const { name, arguments: given, parameters, function: called, tool_calls: calls } = value;
  if (Array.isArray(calls)) return readName(calls[0]);
  if (isFields(called)) return readName({ arguments: {}, ...called });
  return typeof name === 'string' && (given ?? parameters) !== undefined ? name : undefined;
}
