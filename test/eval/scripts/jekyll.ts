import { edit, publish, type TaskScript, without } from './script.ts';

const page = 'guides/topics.md';
const calls = [
  ['move_file', { from: 'guides/queues.md', to: page }] as const,
  edit(page, 'title: Queues', 'title: Topics'),
  edit(page, '# Queues', '# Topics'),
  edit('_data/navigation.yml', 'title: Queues', 'title: Topics'),
  publish('Call queues topics'),
];

export const jekyllScripts: Readonly<Record<string, TaskScript>> = {
  'jekyll/rename-page': {
    right: [calls],
    wrong: [
      { reason: /does not have .*# Topics/, runs: [without(calls, 2)] },
      { reason: /navigation\.yml does not have/, runs: [without(calls, 3)] },
    ],
  },
};
