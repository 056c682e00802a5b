import { edit, publish, type TaskScript } from './script.ts';

const page = 'docs/operate/backup.rst';
const move = { from: 'docs/guides/backup.rst', to: page };
const redirect = '    "guides/backup.rst": "operate/backup.rst",\n';
const calls = [
  ['move_file', move] as const,
  edit(page, 'Back up\n=======', 'Back up and restore\n==================='),
  publish('Move the page about backups'),
];

export const sphinxScripts: Readonly<Record<string, TaskScript>> = {
  'sphinx/move-page': {
    right: [calls],
    wrong: [
      {
        reason: /conf\.py does not have/,
        runs: [[...calls.slice(0, 2), edit('docs/conf.py', redirect, ''), ...calls.slice(2)]],
      },
      { reason: /leads to no page/, runs: [[['move_file', { ...move, exclude: '**' }] as const, ...calls.slice(1)]] },
    ],
  },
};
