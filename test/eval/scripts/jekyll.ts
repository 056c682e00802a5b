import { and, edit, publish, type TaskScript } from './script.ts';

const page = 'guides/topics.md';
const calls = [
  ['move_file', { from: 'guides/queues.md', to: page }] as const,
  edit(page, 'title: Queues', 'title: Topics'),
  edit(page, '# Queues', '# Topics'),
  edit('_data/navigation.yml', 'title: Queues', 'title: Topics'),
  publish('Call queues topics'),
];

const kept = [edit('guides/queues.md', 'seven days', '14 days'), publish('Keep messages for 14 days')];

export const jekyllScripts: Readonly<Record<string, TaskScript>> = {
  'jekyll/rename-page': { right: [calls] },
  'jekyll/broken-already': {
    right: [kept],
    wrong: [
      {
        reason: /guides\/install\.md changed/,
        runs: [and(kept, edit('guides/install.md', '/guides/dead/#letters', '/guides/queues/'))],
      },
    ],
  },
};
