import { opensPullRequest } from '../checks/answers.ts';
import { isSound } from '../checks/docs.ts';
import { changesOnly, has, lacks } from '../checks/files.ts';
import type { Task } from './task.ts';

const [page, linking] = ['content/2.reference/1.limits.md', 'content/1.guides/1.send.md'];

export const nuxtTasks: readonly Task[] = [
  {
    name: 'nuxt/rename-heading',
    site: 'nuxt',
    messages: [
      'On the page "Limits", the section "Batches" is called "Size of a batch", and a batch holds 1,000 events.',
    ],
    checks: [
      opensPullRequest,
      changesOnly(page, linking),
      has(page, /^## Size of a batch$/m, /\b1,000 events\b/, /^## Names$/m),
      lacks(page, /^## Batches$/m, /\b500\b/),
      has(linking, /\]\(\/reference\/limits#size-of-a-batch\)/),
      isSound,
    ],
  },
];
