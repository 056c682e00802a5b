import type { ScriptRequest } from '../model/script.ts';

export interface RunMessage {
  text: string;
  threads: { threadId: string; file: string }[];
}

/** The messages of a run as the model reads them, in order, each with its review threads. */
export function readMessages({ messages }: Pick<ScriptRequest, 'messages'>): RunMessage[] {
  return messages
    .filter(({ role }) => role === 'user')
    .flatMap(({ text }) => [...text.matchAll(/<message id="[^"]*" from="[^"]*">(.*?)<\/message>/gs)])
    .map(([, text = '']) => ({
      text,
      threads: [...text.matchAll(/<thread id="([^"]*)" file="([^"]*)"/g)].map(([, threadId = '', file = '']) => ({
        threadId,
        file,
      })),
    }));
}
