import { edit, publish, type TaskScript, without } from './script.ts';

const [from, to] = ['content/docs/install/backups.md', 'content/docs/operate/backups.md'];
const calls = [['move_file', { from, to }] as const, publish('Move backups to the section Operate')];

export const hugoScripts: Readonly<Record<string, TaskScript>> = {
  'hugo/move-page': {
    right: [calls],
    wrong: [
      { reason: /is still there/, runs: [without(calls, 0)] },
      {
        reason: /does not have .*install/,
        runs: [[calls[0] ?? publish(''), edit(to, '  - /docs/install/backups/\n', ''), ...calls.slice(1)]],
      },
    ],
  },
};
