import { finishTool } from './finish.ts';
import type { ModelAnswer } from './model/model.ts';
import { thoughtTag } from './model/quirks.ts';

/**
 * The answer without the thoughts that the model wrote into what people read: its text and its call of finish. They stay in the items for the
 * server. Everything that people see of an answer comes from here.
 */
export function dropThoughts(answer: ModelAnswer): ModelAnswer {
  const toolCalls = answer.toolCalls.map((call) =>
    call.name === finishTool.name ? { ...call, arguments: withoutThoughtsInJson(call.arguments) } : call,
  );
  return { ...answer, text: withoutThoughts(answer.text), toolCalls };
}

function withoutThoughtsInJson(text: string): string {
  try {
    const value: unknown = JSON.parse(text);
    const clean = JSON.stringify(value, (_, inner: unknown) =>
      typeof inner === 'string' ? withoutThoughts(inner) : inner,
    );
    return clean === JSON.stringify(value) ? text : clean;
  } catch {
    return text;
  }
}

/**
 * Drops blocks between tags, a block that nothing closes, and all before a closing tag that nothing opens, because some servers swallow the
 * first tag. A tag after a backtick is code. Linear.
 */
export function withoutThoughts(text: string): string {
  const tags = [...text.matchAll(thoughtTag)].filter(({ index }) => text[index - 1] !== '`');
  if (tags.length === 0) return text;
  const kept: string[] = [];
  let from = 0;
  let opened: number | undefined;
  let openedLine: number | undefined;
  for (const { 0: tag, index, groups } of tags) {
    if (groups?.opening) {
      opened ??= index;
      if (startsLine(text, from, index)) openedLine ??= index;
      continue;
    }
    kept.push(text.slice(from, opened ?? from));
    from = index + tag.length;
    [opened, openedLine] = [undefined, undefined];
  }
  // An opening tag that nothing closes begins a line. In the middle of a sentence it is a word.
  return [...kept, text.slice(from, openedLine)].join('').trim();
}

function startsLine(text: string, from: number, index: number): boolean {
  let before = index - 1;
  while (before >= from && (text[before] === ' ' || text[before] === '\t')) before -= 1;
  return before < from || text[before] === '\n';
}
