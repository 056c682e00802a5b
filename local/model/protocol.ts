import { z } from 'zod';
import type { ScriptRequest } from './script.ts';

/** One of the two ways to talk to a model: how its requests are read and its answers written. */
export interface Protocol {
  path: string;
  /** Throws `ProtocolError` where the real server answers 400. */
  read(body: unknown): Conversation;
  /** Every event of a streamed answer, in order; `closingEvents` of them end it. */
  write(answer: PlannedAnswer): object[];
  closingEvents: number;
  /** An event with a piece of text, as it comes in the middle of a stream. */
  writeText(text: string): object;
  /** What follows the last event, as a line of data. */
  sentinel: string | null;
}

export interface Conversation extends Omit<ScriptRequest, 'attempt'> {
  cacheKey: string;
  /** Everything the model reads, in order: a longer conversation begins with the shorter one. */
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

/** The request breaks the protocol: the real server would answer 400, and so do we. */
export class ProtocolError extends Error {
  override readonly name = 'ProtocolError';
}

/** Content as both protocols take it: a text, or parts of text. */
export const contentText = z.union([
  z.string(),
  z.array(z.object({ text: z.string() })).transform((parts) => parts.map((part) => part.text).join('')),
]);

/** A text as a stream brings it. */
export const pieces = (whole: string) => whole.match(/.{1,400}/gsu) ?? [];

/** Reads a conversation one item at a time and holds it to the rule that both protocols share: each call gets exactly one result. */
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
    /** One item of an answer; items in a row are one answer. */
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
