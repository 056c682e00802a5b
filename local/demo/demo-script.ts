import type { Script, ScriptRequest, ScriptStep } from '../model/script.ts';
import * as automation from './automation-script.ts';
import { readMessages } from './read-messages.ts';
import * as sidebar from './sidebar-script.ts';

export const instruction =
  'The API limit is 100 requests per minute since 2.3. Correct the rate limits page, and document the 429 answer on the errors page.';

export const followUp = 'Please add a short FAQ entry on what to do when an answer is 429.';

/** `at` is a piece of the line that a remark is about. */
export const review = {
  body: 'Reads well. Two remarks before it goes in:',
  remarks: [
    {
      path: 'errors.mdx',
      at: '| `429` |',
      body: 'Please point to the new FAQ entry here too.',
      reply: 'The row links to the FAQ entry now.',
    },
    {
      path: 'rate-limits.mdx',
      at: '**100 requests per minute**',
      body: 'Is that for each key, or for all keys of an account together?',
      reply: 'For each key. The same sentence says so, and no other page contradicts it, so I left it as it is.',
    },
  ],
};

export const question = 'Does any page still say 60 requests?';

const call = (name: string, args: object) => ({ name, arguments: args });

const limitSteps: ScriptStep[] = [
  { calls: [call('search', { pattern: '(60|100) requests' }), call('read_file', { path: 'AGENTS.md' })] },
  { calls: [call('read_file', { path: 'rate-limits.mdx' }), call('read_file', { path: 'errors.mdx' })] },
  {
    calls: [
      call('edit_file', {
        path: 'rate-limits.mdx',
        old_text: '**60 requests per minute**',
        new_text: '**100 requests per minute**',
      }),
      call('edit_file', {
        path: 'rate-limits.mdx',
        old_text: '## Sources are not limited',
        new_text:
          'A request over the limit is answered with [`429`](/errors#status-codes).\n\n## Sources are not limited',
      }),
      call('edit_file', {
        path: 'errors.mdx',
        old_text: '| `500` | Something broke on our side | Try again later |',
        new_text:
          '| `429` | You are over the [rate limit](/rate-limits) | Wait as many seconds as `Retry-After` says, then repeat |\n| `500` | Something broke on our side | Try again later |',
      }),
    ],
  },
  {
    calls: [
      call('finish', {
        summary:
          'The rate limits page now says 100 requests per minute, as the changelog of 2.3.0 does. The errors page documents 429 and its Retry-After header.',
        title: 'Correct the rate limit and document 429',
        description:
          '## What changes for the reader\n\nThe rate limits page states the limit since 2.3.0: 100 requests per minute. The errors page explains `429` and how long to wait.\n\n## Why\n\nThe page still said 60, and no page documented the response to a caller over the limit.\n\n## Checklist\n\n- [x] New pages are in `docs.json` (there are none)\n- [x] Links and code blocks were tried\n- [x] Numbers agree with the other pages',
      }),
    ],
  },
];

const entrySteps: ScriptStep[] = [
  { calls: [call('read_file', { path: 'faq.mdx' })] },
  {
    calls: [
      call('edit_file', {
        path: 'faq.mdx',
        old_text: '## How large may an event be?',
        new_text:
          '## What do I do when an answer is `429`?\n\nWait as many seconds as its `Retry-After` header says, then repeat the request. The limit is on the page about\n[rate limits](/rate-limits).\n\n## How large may an event be?',
      }),
    ],
  },
  {
    calls: [
      call('finish', {
        summary: 'The FAQ now says what to do when an answer is 429, with a link to the rate limits.',
        title: 'Correct the rate limit, document 429 and how to wait',
      }),
    ],
  },
];

const reviewSteps: (ScriptStep | Script)[] = [
  { calls: [call('read_file', { path: 'errors.mdx' }), call('search', { pattern: 'API key|per account' })] },
  {
    calls: [
      call('edit_file', {
        path: 'errors.mdx',
        old_text: 'Wait as many seconds as `Retry-After` says, then repeat |',
        new_text:
          'Wait as many seconds as `Retry-After` says, then repeat; see the [FAQ](/faq#what-do-i-do-when-an-answer-is-429) |',
      }),
    ],
  },
  (request) => ({
    calls: [
      call('finish', {
        summary: 'The errors page links to the FAQ entry. The question about keys needed no change.',
        replies: answerThreads(request, (file) => review.remarks.find(({ path }) => path === file)?.reply),
      }),
    ],
  }),
];

const questionSteps: ScriptStep[] = [
  { calls: [call('search', { pattern: '60 requests' })] },
  {
    calls: [
      call('finish', {
        summary: 'No. The changelog mentions 60 only as the limit before 2.3.0, so I changed nothing.',
      }),
    ],
  },
];

const explanation =
  'The demo’s model is a script. It knows only the demo’s instructions, so it changed nothing. Set OPENAI_API_KEY to use a real model.';

const explainScript: Script = (request) => ({
  calls: [call('finish', { summary: explanation, replies: answerThreads(request, () => explanation) })],
});

const parts = [
  { instruction, steps: limitSteps },
  { instruction: followUp, steps: entrySteps },
  { instruction: review.body, steps: reviewSteps },
  { instruction: question, steps: questionSteps },
  { instruction: sidebar.instruction, steps: sidebar.steps },
  { instruction: sidebar.checkFails, steps: sidebar.checkSteps },
  { instruction: automation.prompt, steps: automation.steps },
];

/** Answers the demo's instructions with real tool calls, and any other by saying that it is a script. */
export const demoScript: Script = (request) => {
  const [first] = readMessages(request);
  const part = parts.find(({ instruction }) => first?.text.includes(instruction));
  const step = part?.steps[request.turn] ?? explainScript;
  return typeof step === 'function' ? step(request) : step;
};

const answerThreads = (request: ScriptRequest, answer: (file: string) => string | undefined) =>
  readMessages(request)
    .flatMap(({ threads }) => threads)
    .map(({ threadId, file }) => ({ message: threadId, text: answer(file) ?? explanation }));
