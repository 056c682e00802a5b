import { z } from 'zod';
import {
  contentText,
  createTranscript,
  type PlannedAnswer,
  type Protocol,
  ProtocolError,
  pieces,
  reasoningEffort,
} from './protocol.ts';

const message = z.object({
  type: z.literal('message').default('message'),
  role: z.enum(['user', 'assistant', 'system', 'developer']),
  content: contentText,
});
const inputItem = z.union([
  message,
  z.object({ type: z.literal('reasoning'), id: z.string(), encrypted_content: z.string().startsWith('sealed:') }),
  z.object({ type: z.literal('function_call'), call_id: z.string(), name: z.string(), arguments: z.string() }),
  z.object({ type: z.literal('function_call_output'), call_id: z.string(), output: contentText }),
]);
const requestBody = z.object({
  model: z.string(),
  instructions: z.string().default(''),
  input: z.array(z.unknown()).min(1),
  tools: z
    .array(z.object({ type: z.literal('function'), name: z.string(), parameters: z.looseObject({}) }))
    .default([]),
  prompt_cache_key: z.string().max(64).default(''),
  store: z.literal(false),
  stream: z.literal(true),
  reasoning: z.strictObject({ effort: reasoningEffort }).optional(),
});

/** The Responses API, stateless and streamed: https://developers.openai.com/api/reference/resources/responses */
export const responsesProtocol: Protocol = {
  path: '/v1/responses',
  sentinel: null,
  closingEvents: 1,
  read(body) {
    const parsed = requestBody.safeParse(body);
    if (!parsed.success) {
      throw new ProtocolError(z.prettifyError(parsed.error));
    }
    const { model, instructions, input, tools, prompt_cache_key: cacheKey } = parsed.data;
    const transcript = createTranscript();
    let isAfterReasoning = false;
    for (const [index, raw] of input.entries()) {
      const { data: item, error } = inputItem.safeParse(raw);
      if (item === undefined) {
        throw new ProtocolError(`input[${index}]: ${z.prettifyError(error)}`);
      }
      if (
        isAfterReasoning &&
        item.type !== 'function_call' &&
        !(item.type === 'message' && item.role === 'assistant')
      ) {
        throw new ProtocolError(`input[${index}]: reasoning was provided without its required following item`);
      }
      isAfterReasoning = item.type === 'reasoning';
      if (item.type === 'reasoning') {
        transcript.answer({});
      } else if (item.type === 'function_call') {
        transcript.answer({ calls: [{ callId: item.call_id, name: item.name }] });
      } else if (item.type === 'function_call_output') {
        transcript.result({ callId: item.call_id, output: item.output });
      } else if (item.role === 'assistant') {
        transcript.answer({ text: item.content });
      } else {
        transcript.user(item.content);
      }
    }
    return {
      model,
      instructions,
      cacheKey,
      tools: tools.map(({ name }) => name),
      prompt: [instructions, tools, ...input].map((part) => JSON.stringify(part)),
      ...transcript.end(),
    };
  },
  writeText: (delta) => ({
    type: 'response.output_text.delta',
    item_id: 'msg_0',
    output_index: 1,
    content_index: 0,
    delta,
  }),
  write(answer) {
    const output = answer.isEmpty ? [] : createOutput(answer);
    const response = { id: `resp_${answer.answerId}`, object: 'response', model: answer.model };
    const isWhole = answer.stop === 'end';
    const events = [
      { type: 'response.created', response: { ...response, status: 'in_progress', output: [] } },
      ...output.flatMap((item, index) => [
        { type: 'response.output_item.added', output_index: index, item: { ...item, status: 'in_progress' } },
        ...deltasOf(item, index),
        { type: 'response.output_item.done', output_index: index, item },
      ]),
      {
        type: isWhole ? 'response.completed' : 'response.incomplete',
        response: {
          ...response,
          status: isWhole ? 'completed' : 'incomplete',
          incomplete_details: isWhole
            ? null
            : { reason: answer.stop === 'length' ? 'max_output_tokens' : 'content_filter' },
          output,
          usage: {
            input_tokens: answer.usage.tokensIn,
            input_tokens_details: { cached_tokens: answer.usage.tokensCached },
            output_tokens: answer.usage.tokensOut,
            output_tokens_details: { reasoning_tokens: 0 },
            total_tokens: answer.usage.tokensIn + answer.usage.tokensOut,
          },
        },
      },
    ];
    return events.map((event, index) => ({ ...event, sequence_number: index }));
  },
};

function createOutput({ answerId, text, refusal, calls, stop }: PlannedAnswer) {
  const status = stop === 'end' ? 'completed' : 'incomplete';
  const content =
    refusal === undefined
      ? [{ type: 'output_text', text: text ?? '', annotations: [], logprobs: [] }]
      : [{ type: 'refusal', refusal }];
  return [
    { type: 'reasoning', id: `rs_${answerId}`, summary: [], encrypted_content: `sealed:${answerId}` },
    ...(text !== undefined || refusal !== undefined || calls.length === 0
      ? [{ type: 'message', id: `msg_${answerId}`, role: 'assistant', status, content }]
      : []),
    ...calls.map((call, index) => ({
      type: 'function_call',
      id: `fc_${answerId}_${index}`,
      call_id: call.callId,
      name: call.name,
      arguments: call.arguments,
      status: index === calls.length - 1 ? status : 'completed',
    })),
  ];
}

function deltasOf(item: ReturnType<typeof createOutput>[number], index: number): object[] {
  if ('arguments' in item) {
    return pieces(item.arguments).map((delta) => ({
      type: 'response.function_call_arguments.delta',
      item_id: item.id,
      output_index: index,
      delta,
    }));
  }
  if ('content' in item) {
    const text = item.content.map((part) => ('text' in part ? part.text : '')).join('');
    return pieces(text).map((delta) => ({
      type: 'response.output_text.delta',
      item_id: item.id,
      output_index: index,
      content_index: 0,
      delta,
    }));
  }
  return [];
}
