import { z } from 'zod';
import { contentText, createTranscript, type Protocol, ProtocolError, pieces, reasoningEffort } from './protocol.ts';

const message = z.discriminatedUnion('role', [
  z.object({ role: z.literal('system'), content: contentText }),
  z.object({ role: z.literal('user'), content: contentText }),
  z.object({
    role: z.literal('assistant'),
    content: contentText.nullish(),
    tool_calls: z
      .array(
        z.object({
          id: z.string(),
          type: z.literal('function'),
          function: z.object({ name: z.string(), arguments: z.string().refine(isJson, 'not valid JSON') }),
        }),
      )
      .min(1)
      .optional(),
  }),
  z.object({ role: z.literal('tool'), tool_call_id: z.string(), content: contentText }),
]);
const requestBody = z.strictObject({
  model: z.string(),
  messages: z.array(z.unknown()).min(1),
  tools: z
    .array(
      z.object({
        type: z.literal('function'),
        function: z.object({ name: z.string(), parameters: z.looseObject({}) }),
      }),
    )
    .default([]),
  stream: z.literal(true),
  reasoning_effort: reasoningEffort.optional(),
  stream_options: z.object({ include_usage: z.boolean() }).optional(),
});

/**
 * Chat Completions, streamed, as the strictest of its servers see it: unknown fields, the developer role and broken arguments in an
 * earlier call are refused. https://developers.openai.com/api/reference/resources/chat
 */
export const chatProtocol: Protocol = {
  path: '/v1/chat/completions',
  sentinel: '[DONE]',
  closingEvents: 2,
  read(body) {
    const parsed = requestBody.safeParse(body);
    if (!parsed.success) {
      throw new ProtocolError(z.prettifyError(parsed.error));
    }
    const { model, messages, tools } = parsed.data;
    const transcript = createTranscript();
    let instructions = '';
    for (const [index, raw] of messages.entries()) {
      const { data: item, error } = message.safeParse(raw);
      if (item === undefined) {
        throw new ProtocolError(`messages[${index}]: ${z.prettifyError(error)}`);
      }
      if (item.role === 'system') {
        instructions += item.content;
      } else if (item.role === 'user') {
        transcript.user(item.content);
      } else if (item.role === 'tool') {
        transcript.result({ callId: item.tool_call_id, output: item.content });
      } else if (item.content || item.tool_calls) {
        const calls = item.tool_calls?.map((call) => ({ callId: call.id, name: call.function.name })) ?? [];
        transcript.answer({ calls, ...(item.content ? { text: item.content } : {}) });
      } else {
        throw new ProtocolError(`messages[${index}]: an assistant message needs content or tool_calls`);
      }
    }
    return {
      model,
      instructions,
      cacheKey: '',
      tools: tools.map((tool) => tool.function.name),
      prompt: [tools, ...messages].map((part) => JSON.stringify(part)),
      ...transcript.end(),
    };
  },
  writeText: (content) => createChunk({ delta: { content } }),
  write(answer) {
    const wrap = (chunk: Parameters<typeof createChunk>[0]) => ({
      ...createChunk(chunk),
      id: `chatcmpl-${answer.answerId}`,
      model: answer.model,
    });
    const usage = {
      prompt_tokens: answer.usage.tokensIn,
      completion_tokens: answer.usage.tokensOut,
      total_tokens: answer.usage.tokensIn + answer.usage.tokensOut,
      prompt_tokens_details: { cached_tokens: answer.usage.tokensCached },
    };
    const last = { ...wrap({}), choices: [], usage };
    if (answer.isEmpty) {
      return [last, last, last];
    }
    const reasons = {
      end: answer.calls.length > 0 ? 'tool_calls' : 'stop',
      length: 'length',
      content_filter: 'content_filter',
    };
    return [
      wrap({ delta: { role: 'assistant', content: '' } }),
      ...pieces(answer.text ?? '').map((content) => wrap({ delta: { content } })),
      ...(answer.refusal === undefined ? [] : [wrap({ delta: { refusal: answer.refusal } })]),
      ...answer.calls.flatMap((call, index) => [
        wrap({
          delta: {
            tool_calls: [{ index, id: call.callId, type: 'function', function: { name: call.name, arguments: '' } }],
          },
        }),
        ...pieces(call.arguments).map((piece) =>
          wrap({ delta: { tool_calls: [{ index, function: { arguments: piece } }] } }),
        ),
      ]),
      wrap({ delta: {}, finishReason: reasons[answer.stop] }),
      last,
    ];
  },
};

const createChunk = ({ delta = {}, finishReason = null }: { delta?: object; finishReason?: string | null }) => ({
  object: 'chat.completion.chunk',
  choices: [{ index: 0, delta, finish_reason: finishReason }],
});

function isJson(value: string): boolean {
  try {
    JSON.parse(value);
    return true;
  } catch {
    return false;
  }
}
