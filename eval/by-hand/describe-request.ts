import { z } from 'zod';
import type { ScriptRequest } from '../../local/model/script.ts';

/** The items of both protocols: answers of the model, results of tools, and messages to the model. */
const itemSchema = z.object({
  type: z.string().optional(),
  role: z.string().optional(),
  content: z.unknown().optional(),
  output: z.unknown().optional(),
});
type Item = z.infer<typeof itemSchema>;
const bodySchema = z.object({
  input: z.array(itemSchema).optional(),
  messages: z.array(itemSchema).optional(),
  tools: z.array(z.unknown()).default([]),
});

/** A request for a person to read: all of it at first, later only the items since the last answer. */
export function describeRequest(
  { turn, instructions }: Pick<ScriptRequest, 'turn' | 'instructions'>,
  body: unknown,
): string {
  const { input, messages, tools } = bodySchema.parse(body);
  const items = input ?? messages ?? [];
  const bytes = Buffer.byteLength(JSON.stringify(body));
  const fresh = items.slice(items.findLastIndex(isOfModel) + 1).filter(({ role }) => role !== 'system');
  const start = [`## Instructions\n\n${instructions}`, `## Tools\n\n${JSON.stringify(tools, null, 1)}`];
  return `${[
    `Turn ${turn + 1}. The whole request has ${bytes.toLocaleString('en-US')} bytes.`,
    ...(turn === 0 ? start : []),
    ...fresh.map(
      (item) => `## ${item.role === 'user' ? 'Input' : 'Result'}\n\n${readText(item.output ?? item.content)}`,
    ),
  ].join('\n\n')}\n`;
}

const isOfModel = ({ type, role }: Item) => type === 'function_call' || type === 'reasoning' || role === 'assistant';

const partsSchema = z.array(z.object({ text: z.string() }));

function readText(content: unknown): string {
  if (typeof content === 'string') return content;
  return (partsSchema.safeParse(content).data ?? []).map(({ text }) => text).join('');
}
