import { randomUUID } from 'node:crypto';
import type { OpenAI } from 'openai';
import type { ReasoningEffort } from 'openai/resources/shared';
import { z } from 'zod';
import { storableText } from '../journal.ts';
import { type ChatCall, toChatItems, toChatMessages, toChatTools, toSystemMessage } from './chat-messages.ts';
import { BrokenAnswer, ModelRefusal } from './errors.ts';
import { postForEvents, type RequestTimeouts, readEvents, withWatchdog } from './event-stream.ts';
import type { ModelAnswer } from './model.ts';
import { createBodyWriter } from './request-body.ts';
import type { AskModel } from './retrying-model.ts';
import { estimateUsage, inputTokenCount, tokenCount } from './usage.ts';

/** Sends only options that every compatible server supports. https://developers.openai.com/api/reference/resources/chat */
export function createChatAsk({
  client,
  model,
  reasoningEffort,
  timeouts,
}: {
  client: OpenAI;
  model: string;
  reasoningEffort: ReasoningEffort;
  timeouts: RequestTimeouts;
}): AskModel {
  const writeBody = createBodyWriter({ list: 'messages', toItems: toChatMessages });
  return async ({ instructions, turns, tools }, signal) => {
    const fields = {
      model,
      stream: true,
      stream_options: { include_usage: true },
      tools: toChatTools(tools),
      ...(reasoningEffort && { reasoning_effort: reasoningEffort }),
    };
    const body = writeBody({ fields, lead: [toSystemMessage(instructions)], turns });
    const read = async (watched: AbortSignal, touch: () => void) => {
      const assembly = createChatAssembly();
      for await (const event of readEvents(
        await postForEvents({ client, path: '/chat/completions', body, signal: watched }),
        touch,
      )) {
        assembly.add(event);
      }
      return assembly.finish();
    };
    const { answer, usage, isRefused } = await withWatchdog({ timeouts, signal, request: read });
    if (isRefused) {
      throw new ModelRefusal({ reason: 'model_refused', model });
    }
    return { ...answer, usage: usage ?? estimateUsage({ sentBytes: body.size, received: answer.items }) };
  };
}

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
      prompt_tokens: inputTokenCount,
      completion_tokens: tokenCount,
      prompt_tokens_details: z.object({ cached_tokens: tokenCount.nullish() }).nullish(),
    })
    .nullish()
    .catch(null),
});

/** OpenAI's, then Together's, TGI's, mlx-lm's and Anthropic's. Others mean an interruption: `abort` (vLLM, SGLang), `error` (Mistral). */
const wholeReasons = new Set([
  ...['stop', 'tool_calls', 'function_call', 'content_filter'],
  ...['eos', 'eos_token', 'stop_sequence', 'tool_call', 'end_turn', 'tool_use'],
]);
/** Finish reasons of an answer that the output limit cut off: OpenAI's, Mistral's, Anthropic's. */
const cutReasons = new Set(['length', 'model_length', 'max_tokens']);

interface OpenCall {
  id: string;
  name: string;
  arguments: string;
  extra: Record<string, unknown>;
}

/** Accepts deviations of other servers: no usage, calls without index or id, one index for several calls, `reasoning_content`. */
export function createChatAssembly() {
  let [text, refusal, reasoning] = ['', '', ''];
  let finishReason: string | undefined;
  let usage: ModelAnswer['usage'] | null = null;
  const calls: OpenCall[] = [];
  // A map: with very many calls, a search for each chunk would block the event loop.
  const latest = new Map<number, OpenCall>();

  return {
    /** Throws `BrokenAnswer` for an invalid chunk. */
    add(event: unknown): void {
      const parsed = chunk.safeParse(event);
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
      finishReason = choice?.finish_reason || finishReason;
      for (const delta of choice?.delta?.tool_calls ?? []) {
        addCallDelta({ calls, latest }, delta);
      }
    },
    /** Throws `BrokenAnswer` when the answer is incomplete. */
    finish(): { answer: Omit<ModelAnswer, 'usage'>; usage: ModelAnswer['usage'] | null; isRefused: boolean } {
      if (finishReason === undefined) {
        throw new BrokenAnswer('the stream ended early');
      }
      const isCut = cutReasons.has(finishReason);
      if (!isCut && !wholeReasons.has(finishReason)) {
        throw new BrokenAnswer(`the answer ended with ${finishReason}`, { code: finishReason });
      }
      const whole = nameCalls(calls);
      return {
        answer: {
          text: storableText(text),
          toolCalls: whole.map(({ extra: _, ...call }) => call),
          items: toChatItems({ text, calls: whole, reasoning }),
          stop: isCut ? 'length' : 'end',
        },
        usage,
        isRefused: finishReason === 'content_filter' || (refusal !== '' && whole.length === 0),
      };
    },
  };
}

function addCallDelta(
  { calls, latest }: { calls: OpenCall[]; latest: Map<number, OpenCall> },
  delta: z.infer<typeof toolCallDelta>,
): void {
  const { index, id, type: _, function: called, ...extra } = delta;
  const indexed = index == null ? calls.at(-1) : latest.get(index);
  const isContinued = indexed !== undefined && (!id || id === indexed.id);
  const call = isContinued ? indexed : { id: id ?? '', name: '', arguments: '', extra: {} };
  if (!isContinued) {
    calls.push(call);
    if (index != null) latest.set(index, call);
  }
  call.name += called?.name ?? '';
  call.arguments += called?.arguments ?? '';
  Object.assign(call.extra, extra);
}

/** Gives each call a unique and storable id: results are matched by it. */
function nameCalls(calls: OpenCall[]): ChatCall[] {
  const ids = new Set<string>();
  return calls.map(({ id: original, name, arguments: text, extra }) => {
    const id = storableText(original);
    const callId = id === '' || ids.has(id) ? `call_${randomUUID()}` : id;
    ids.add(callId);
    return { callId, name: storableText(name), arguments: storableText(text), extra };
  });
}
