import { z } from 'zod';
import { packItems, unpackItems } from '../model/request-body.ts';

/**
 * Replaces the arguments of calls, by call id, in the provider's items of either API. All else of the items stays as it is, because a call
 * is only accepted with its reasoning item or signature.
 */
export const replaceArguments = (items: readonly unknown[], replacements: ReadonlyMap<string, string>): unknown[] =>
  packItems(unpackItems(items).map((item) => replaceInItem(item, replacements)));

/** Keeps the order of keys, as `z.looseObject` does not. */
const anyObject = z.record(z.string(), z.unknown());
const functionCall = z.object({ type: z.literal('function_call'), call_id: z.string() });
const chatMessage = z.object({ role: z.literal('assistant'), tool_calls: z.array(anyObject) });
const chatCall = z.object({ id: z.string(), function: anyObject });

function replaceInItem(item: unknown, replacements: ReadonlyMap<string, string>): unknown {
  const fields = anyObject.safeParse(item).data;
  const call = functionCall.safeParse(item).data;
  if (call) return withArguments(fields, replacements.get(call.call_id));
  const message = chatMessage.safeParse(item).data;
  if (!message) return item;
  return {
    ...fields,
    tool_calls: message.tool_calls.map((callFields) => {
      const { data } = chatCall.safeParse(callFields);
      return data ? { ...callFields, function: withArguments(data.function, replacements.get(data.id)) } : callFields;
    }),
  };
}

const withArguments = (fields: Record<string, unknown> | undefined, text: string | undefined) =>
  text === undefined ? fields : { ...fields, arguments: text };
