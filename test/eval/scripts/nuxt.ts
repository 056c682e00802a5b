import { edit, publish, type TaskScript } from './script.ts';

const [page, linking] = ['content/2.reference/1.limits.md', 'content/1.guides/1.send.md'];
const calls = [
  edit(page, '## Batches', '## Size of a batch'),
  edit(page, '500 events', '1,000 events'),
  edit(linking, '#batches', '#size-of-a-batch'),
  publish('Call batches by their size'),
];

export const nuxtScripts: Readonly<Record<string, TaskScript>> = {
  'nuxt/rename-heading': { right: [calls] },
};
