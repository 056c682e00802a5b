import { expect, test } from 'vitest';
import { demoScript, instruction, question, review } from '../../../local/demo/demo-script.ts';
import { readMessages } from '../../../local/demo/read-messages.ts';
import type { ScriptRequest } from '../../../local/model/script.ts';

const ask = (texts: string[], turn = 0): ScriptRequest => ({
  model: 'demo-model',
  instructions: '',
  turn,
  attempt: 1,
  messages: texts.map((text) => ({ role: 'user', text })),
  lastResults: [],
  tools: [],
});
const message = (text: string) => `<message id="msg_1" from="rita">${text}</message>`;
const thread = (threadId: string, file: string, text = 'Why?') =>
  `<thread id="${threadId}" file="${file}" line="6">\n${text}\n</thread>`;
const earlier = `<earlier-run number="1">\nAsked: ${instruction}\nDone: It is.\n</earlier-run>`;

/** What the script's answer says when it ends the run; undefined while it works. */
async function finishOf(request: ScriptRequest) {
  const { calls = [] } = await demoScript(request);
  return calls.find(({ name }) => name === 'finish')?.arguments;
}

test('the threads of a message are read with their ids and files', () => {
  const text = message(`Two remarks:\n${thread('thread_1', 'a.mdx')}\n${thread('thread_2', 'b/c.mdx')}`);
  expect(readMessages(ask([earlier, text])).map(({ threads }) => threads)).toEqual([
    [
      { threadId: 'thread_1', file: 'a.mdx' },
      { threadId: 'thread_2', file: 'b/c.mdx' },
    ],
  ]);
});

test('the demo replies in each thread of its review', async () => {
  const threads = review.remarks.map(({ path, body }, index) => thread(`thread_${index}`, path, body));
  const request = ask([earlier, message([review.body, ...threads].join('\n'))], 2);
  expect(await finishOf(request)).toMatchObject({
    replies: review.remarks.map(({ reply }, index) => ({ message: `thread_${index}`, text: reply })),
  });
});

test.each([
  ['an instruction that is not in the script', [message('Translate it.')], 0],
  ['a review that is not in the script', [message(thread('thread_7', 'faq.mdx'))], 0],
  ['an instruction of an earlier run', [earlier, message('Once more.')], 0],
  ['a turn beyond the end of its part', [message(question)], 9],
])('%s is answered with a sentence, not with an error', async (_name, texts, turn) => {
  const finish = await finishOf(ask(texts, turn));
  expect(finish).toMatchObject({ summary: expect.stringContaining('is a script') });
  const asked = readMessages(ask(texts)).flatMap(({ threads }) => threads.map(({ threadId }) => threadId));
  expect(finish).toMatchObject({ replies: asked.map((threadId) => ({ message: threadId })) });
});
