import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import { BrokenAnswer } from './broken-answer.ts';
import { type ChatCall, toChatItems } from './chat-conversion.ts';
import type { ModelAnswer } from './model.ts';
import { storableText } from './storable-text.ts';
import { tokenCount } from './token-count.ts';

const toolCallDelta = z.looseObject({
  index: z.number().nullish(),
  id: z.string().nullish(),
  type: z.string().nullish(),
  function: z.object({ name: z.string().nullish(), arguments: z.string().nullish() }).nullish(),
});
const chunk = z.object({
  choices: z
    .array(
      z.object({
        delta: z
          .object({
            content: z.string().nullish(),
            refusal: z.string().nullish(),
            reasoning_content: z.string().nullish(),
            tool_calls: z.array(toolCallDelta).nullish(),
          })
          .nullish(),
        finish_reason: z.string().nullish(),
      }),
    )
    .nullish(),
  usage: z
    .object({
      prompt_tokens: tokenCount,
      completion_tokens: tokenCount,
      prompt_tokens_details: z.object({ cached_tokens: tokenCount.nullish() }).nullish(),
    })
    .nullish()
    .catch(null),
});

interface OpenCall {
  index: number | undefined;
  id: string;
  name: string;
  arguments: string;
  extra: Record<string, unknown>;
}

/**
 * Puts the chunks of one streamed completion together. Accepts what servers other than OpenAI's do: no usage (null then), no index or
 * no id in tool calls, the same index for several calls, thoughts in `reasoning_content`.
 */
export function createChatAssembly() {
  let [text, refusal, reasoning] = ['', '', ''];
  let finishReason: string | undefined;
  let usage: ModelAnswer['usage'] | null = null;
  const calls: OpenCall[] = [];

  return {
    /** Throws `BrokenAnswer` when the chunk is not one. */
    add(given: unknown): void {
      const parsed = chunk.safeParse(given);
      if (!parsed.success) {
        throw new BrokenAnswer('not a chunk of a completion', { cause: parsed.error });
      }
      const { choices, usage: counted } = parsed.data;
      if (counted) {
        usage = {
          tokensIn: counted.prompt_tokens,
          tokensOut: counted.completion_tokens,
          tokensCached: counted.prompt_tokens_details?.cached_tokens ?? 0,
        };
      }
      const choice = choices?.[0];
      text += choice?.delta?.content ?? '';
      refusal += choice?.delta?.refusal ?? '';
      reasoning += choice?.delta?.reasoning_content ?? '';
      finishReason = choice?.finish_reason ?? finishReason;
      for (const delta of choice?.delta?.tool_calls ?? []) {
        addCallDelta(calls, delta);
      }
    },
    /** The whole answer. Throws `BrokenAnswer` when the stream ended before the model did. */
    finish(): { answer: Omit<ModelAnswer, 'usage'>; usage: ModelAnswer['usage'] | null; isRefused: boolean } {
      if (finishReason === undefined) {
        throw new BrokenAnswer('the stream ended early');
      }
      const whole = nameCalls(calls);
      return {
        answer: {
          text: storableText(text),
          toolCalls: whole.map(({ extra: _, ...call }) => call),
          items: toChatItems({ text, calls: whole, reasoning }),
          stop: finishReason === 'length' ? 'length' : 'end',
        },
        usage,
        isRefused: finishReason === 'content_filter' || (refusal !== '' && whole.length === 0),
      };
    },
  };
}

function addCallDelta(calls: OpenCall[], delta: z.infer<typeof toolCallDelta>): void {
  const { index, id, type: _, function: called, ...extra } = delta;
  const indexed = index == null ? calls.at(-1) : calls.findLast((call) => call.index === index);
  const isContinued = indexed !== undefined && (!id || id === indexed.id);
  const call = isContinued ? indexed : { index: index ?? undefined, id: id ?? '', name: '', arguments: '', extra: {} };
  if (!isContinued) {
    calls.push(call);
  }
  call.name += called?.name ?? '';
  call.arguments += called?.arguments ?? '';
  Object.assign(call.extra, extra);
}

/** Every call gets an id that no other call of this answer has, for results are matched by it. */
function nameCalls(calls: OpenCall[]): ChatCall[] {
  const ids = new Set<string>();
  return calls.map(({ id, name, arguments: text, extra }) => {
    const callId = id === '' || ids.has(id) ? `call_${randomUUID()}` : id;
    ids.add(callId);
    return { callId, name: storableText(name), arguments: storableText(text), extra };
  });
}
