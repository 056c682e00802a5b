import type { Conversation, PlannedAnswer } from './protocol.ts';
import type { Fault, ScriptStep } from './script.ts';

/** A script's step as an answer, with the faults of its content; `send-answer.ts` adds those of the transport. */
export function planAnswer({
  step: { text, calls = [], usage, fault },
  conversation,
  answerId,
  tokensCached,
}: {
  step: ScriptStep;
  conversation: Conversation;
  answerId: string;
  tokensCached: number;
}): PlannedAnswer {
  const planned = calls.map((call, index) => ({
    callId: `call_${answerId}_${index}`,
    name: call.name,
    arguments: typeof call.arguments === 'string' ? call.arguments : JSON.stringify(call.arguments),
  }));
  const lastCall = planned.at(-1);
  if (fault?.kind === 'cut_arguments' && lastCall) {
    lastCall.arguments = lastCall.arguments.slice(0, lastCall.arguments.length / 2);
  }
  return {
    answerId,
    model: conversation.model,
    text,
    refusal: fault?.kind === 'refusal' ? 'I cannot help with that.' : undefined,
    calls: planned,
    stop: stopOf(fault),
    isEmpty: fault?.kind === 'empty',
    usage: {
      tokensIn: usage?.tokensIn ?? countTokens(conversation.prompt.join('\n')),
      tokensOut: usage?.tokensOut ?? countTokens(JSON.stringify([text, planned])),
      tokensCached: usage?.tokensCached ?? tokensCached,
    },
  };
}

function stopOf(fault: Fault | undefined): PlannedAnswer['stop'] {
  if (fault?.kind === 'content_filter') {
    return 'content_filter';
  }
  return fault?.kind === 'cut_arguments' ? 'length' : 'end';
}

/** Roughly OpenAI's tokenizers on English text. */
export const countTokens = (text: string) => Math.ceil(text.length / 4);
