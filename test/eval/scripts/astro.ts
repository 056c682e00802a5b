import { and, edit, publish, type TaskScript } from './script.ts';

const [from, to] = ['src/content/guides/send/batch.md', 'src/content/guides/batches.md'];
const calls = [['move_file', { from, to }] as const, publish('Give batches a page of their own')];

export const astroScripts: Readonly<Record<string, TaskScript>> = {
  'astro/move-page': {
    right: [calls],
    wrong: [
      {
        reason: /send.{1,3}batch/,
        runs: [and(calls, edit('astro.config.mjs', "'/guides/send/batch'", "'/guides/batch'"))],
      },
      {
        reason: /leads to no page/,
        runs: [and(calls, edit('src/content/guides/limits.md', '/guides/batches', '/guides/batch'))],
      },
    ],
  },
};
