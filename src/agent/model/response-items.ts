import type { FunctionTool, ResponseInputItem } from 'openai/resources/responses/responses';
import { z } from 'zod';
import { toDataUrl } from './images.ts';
import type { ModelAnswer, ModelRequest, Turn, TurnImage } from './model.ts';
import { noAnswer, unpackItems } from './request-body.ts';

/** Append-only: longer conversations start with exactly the input of shorter ones. */
export const toResponsesItems = ({ inputs, images = [], answer, results }: Turn): ResponseInputItem[] => [
  ...(inputs.length > 0 ? [{ role: 'user' as const, content: toContent(inputs.join('\n\n'), images) }] : []),
  ...(answer === null ? [] : toAnswerItems(answer)),
  ...(results ?? []).map(({ callId, output }) => ({
    type: 'function_call_output' as const,
    call_id: callId,
    output,
  })),
];

const toContent = (text: string, images: readonly TurnImage[]) =>
  images.length === 0
    ? text
    : [
        { type: 'input_text' as const, text },
        ...images.map((image) => ({
          type: 'input_image' as const,
          detail: 'auto' as const,
          image_url: toDataUrl(image),
        })),
      ];

/** `strict` would make every argument required. https://developers.openai.com/api/docs/guides/function-calling */
export const toResponsesTools = (tools: ModelRequest['tools']): FunctionTool[] =>
  tools.map((tool) => ({ type: 'function', strict: false, ...tool }));

function toAnswerItems(answer: ModelAnswer): ResponseInputItem[] {
  const items = unpackItems(answer.items);
  if (items.length > 0 && items.every(isInputItem)) return items;
  const text = answer.text === '' && answer.toolCalls.length === 0 ? noAnswer : answer.text;
  return [
    ...(text === '' ? [] : [{ role: 'assistant' as const, content: text }]),
    ...answer.toolCalls.map((call) => ({
      type: 'function_call' as const,
      call_id: call.callId,
      name: call.name,
      arguments: call.arguments,
    })),
  ];
}

const inputItem = z.looseObject({ type: z.string() });
const isInputItem = (item: unknown): item is ResponseInputItem => inputItem.safeParse(item).success;

const messageContent = z
  .string()
  .transform((text) => [{ type: 'output_text', text }])
  .or(z.array(z.object({ type: z.string(), text: z.string().nullish() })));
export const outputItem = z.union([
  z.object({ type: z.literal('message'), content: messageContent }),
  z.object({ type: z.literal('function_call'), call_id: z.string(), name: z.string(), arguments: z.string() }),
  z.object({
    type: z.literal('reasoning'),
    encrypted_content: z.string().nullish(),
    content: z.array(z.unknown()).nullish(),
  }),
]);

/** The API rejects reasoning that no other item follows, and reasoning without content, which it would look up in its store. */
export function keepAcceptable(items: readonly unknown[]): unknown[] {
  const reasoning = items.map((item) => {
    const { data } = outputItem.safeParse(item);
    return data?.type === 'reasoning' ? data : undefined;
  });
  const lastOther = reasoning.lastIndexOf(undefined);
  return items.filter((_, index) => {
    const thought = reasoning[index];
    return (
      thought === undefined || (index < lastOther && (thought.encrypted_content || (thought.content?.length ?? 0) > 0))
    );
  });
}
