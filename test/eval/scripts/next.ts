import { edit, publish, type TaskScript } from './script.ts';

const [from, to] = ['content/docs/keys.md', 'content/docs/security/keys.md'];
const calls = [['move_file', { from, to }] as const, publish('Move keys to the pages about security')];
const broken = edit('content/docs/audit.md', '/docs/security/keys', '/docs/keys');

export const nextScripts: Readonly<Record<string, TaskScript>> = {
  'next/move-page': {
    right: [calls],
    wrong: [
      { reason: /link \/docs\/keys leads to no page/, runs: [[...calls.slice(0, 1), broken, ...calls.slice(1)]] },
    ],
  },
};
