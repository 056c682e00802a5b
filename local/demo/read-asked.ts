import type { ScriptRequest } from '../model/script.ts';

/** One message of a run as the model reads it, with the threads on the changed files that are part of it. */
export interface Asked {
  text: string;
  threads: { threadId: string; file: string }[];
}

/** What the people of a run asked, in their order. */
export function readAsked({ messages }: Pick<ScriptRequest, 'messages'>): Asked[] {
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
