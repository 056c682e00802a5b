import { chosen, type Script, steps } from '../model/script.ts';

export const instruction =
  'The API limit is 100 requests per minute since 2.3. Correct the rate limits page, and document the 429 answer on the errors page.';

export const followUp = 'Please add a short FAQ entry on what to do when an answer is 429.';

const call = (name: string, given: object) => ({ name, arguments: given });

const firstRun: Script = steps([
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
          '## What changes for the reader\n\nThe rate limits page names the limit that holds since 2.3.0: 100 requests per minute. The errors page tells what a `429` means and how long to wait.\n\n## Why\n\nThe page still said 60, and nobody documented the answer that a caller gets over the limit.\n\n## Checklist\n\n- [x] New pages are in `docs.json` (there are none)\n- [x] Links and code blocks were tried\n- [x] Numbers agree with the other pages',
      }),
    ],
  },
]);

const secondRun: Script = steps([
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
]);

/** What the demo's model does: it plays the part of one that was asked these two things, and does them for real. */
export const demoScript: Script = chosen([
  { when: followUp, script: secondRun },
  { when: instruction, script: firstRun },
]);
