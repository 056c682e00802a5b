import { z } from 'zod';
import type { ScriptRequest } from './script.ts';

/** One of the two protocols: reads requests and writes answers. */
export interface Protocol {
  path: string;
  /** Throws `ProtocolError` where the real server answers 400. */
  read(body: unknown): Conversation;
  /** The events of a streamed answer, in order; the last `closingEvents` end it. */
  write(answer: PlannedAnswer): object[];
  closingEvents: number;
  /** A text event from the middle of a stream. */
  writeText(text: string): object;
  /** The data line after the last event. */
  sentinel: string | null;
}

export interface Conversation extends Omit<ScriptRequest, 'attempt'> {
  cacheKey: string;
  /** The model's input in order: a longer conversation begins with the shorter one. */
  prompt: string[];
}

export interface PlannedAnswer {
  answerId: string;
  model: string;
  text: string | undefined;
  refusal: string | undefined;
  calls: { callId: string; name: string; arguments: string }[];
  stop: 'end' | 'length' | 'content_filter';
  isEmpty: boolean;
  usage: { tokensIn: number; tokensOut: number; tokensCached: number };
}

/** The request breaks the protocol; the answer is 400, as from the real server. */
export class ProtocolError extends Error {
  override readonly name = 'ProtocolError';
}

const dataUrl = z.string().regex(/^data:image\/(?:png|jpeg|webp|gif);base64,/);
const textPart = z.object({ type: z.enum(['text', 'input_text', 'output_text']).optional(), text: z.string() });
const imagePart = z
  .union([
    z.object({ type: z.literal('input_image'), image_url: dataUrl }),
    z.object({ type: z.literal('image_url'), image_url: z.object({ url: dataUrl }) }),
  ])
  .transform(() => ({ text: '' }));

/** A text, or a list of text parts and images. */
export const contentText = z.union([
  z.string(),
  z.array(z.union([textPart, imagePart])).transform((parts) => parts.map((part) => part.text).join('')),
]);

export const reasoningEffort = z.enum(['none', 'minimal', 'low', 'medium', 'high', 'xhigh', 'max']);

/** Splits a text as a stream does. */
export const pieces = (whole: string) => whole.match(/.{1,400}/gsu) ?? [];

/** Reads a conversation item by item. Both protocols require exactly one result for each call. */
export function createTranscript() {
  const messages: ScriptRequest['messages'] = [];
  const open = new Map<string, string>();
  let lastResults: ScriptRequest['lastResults'] = [];
  let turn = 0;
  let isAnswering = false;
  const expectNoOpenCalls = () => {
    const [callId] = open.keys();
    if (callId !== undefined) {
      throw new ProtocolError(`no tool output found for function call ${callId}`);
    }
  };
  return {
    user(text: string) {
      expectNoOpenCalls();
      isAnswering = false;
      messages.push({ role: 'user', text });
    },
    /** Items in a row belong to one answer. */
    answer({ text, calls = [] }: { text?: string; calls?: { callId: string; name: string }[] }) {
      if (!isAnswering) {
        expectNoOpenCalls();
        turn += 1;
        lastResults = [];
        isAnswering = true;
      }
      if (text !== undefined) {
        messages.push({ role: 'assistant', text });
      }
      for (const { callId, name } of calls) {
        open.set(callId, name);
      }
    },
    result({ callId, output }: { callId: string; output: string }) {
      const name = open.get(callId);
      if (name === undefined) {
        throw new ProtocolError(`no tool call found for function call output with call_id ${callId}`);
      }
      open.delete(callId);
      isAnswering = false;
      lastResults.push({ name, output });
    },
    end() {
      expectNoOpenCalls();
      if (isAnswering) {
        throw new ProtocolError('the conversation ends with an answer: there is nothing to say');
      }
      return { messages, lastResults, turn };
    },
  };
}
