import { changesOnly, has, lacks } from '../checks/files.ts';
import type { TaskText } from './task.ts';

const [page, linking] = ['content/2.reference/1.limits.md', 'content/1.guides/1.send.md'];

export const nuxtTasks: readonly TaskText[] = [
  {
    name: 'nuxt/rename-heading',
    asks: 'On the page "Limits", the section "Batches" is called "Size of a batch", and a batch holds 1,000 events.',
    changes: [
      changesOnly(page, linking),
      has(page, /^## Size of a batch$/m, /\b1,000 events\b/, /^## Names$/m),
      lacks(page, /^## Batches$/m, /\b500\b/),
      has(linking, /\]\(\/reference\/limits#size-of-a-batch\)/),
    ],
  },
];
