import { opensPullRequest } from '../checks/answers.ts';
import { isSound } from '../checks/docs.ts';
import { changesOnly, has, nowhere, removes } from '../checks/files.ts';
import type { Task } from './task.ts';

const at = (name: string) => `src/content/guides/${name}.md`;
const [from, to] = [at('send/batch'), at('batches')];
const configuration = 'astro.config.mjs';

export const astroTasks: readonly Task[] = [
  {
    name: 'astro/move-page',
    site: 'astro',
    messages: [
      'Batches are a topic of their own: the page should be at /guides/batches. Links to it, also those from other sites, must still work.',
    ],
    checks: [
      opensPullRequest,
      removes(from),
      changesOnly(from, to, at('index'), at('limits'), at('send/message'), configuration),
      has(to, /^## Size$/m),
      has(at('limits'), /\]\(\/guides\/batches\/?#size\)/),
      has(
        configuration,
        /'\/guides\/send\/batch\/?': '\/guides\/batches\/?'/,
        /'\/guides\/start': '\/guides\/install'/,
      ),
      nowhere(/\]\(\/guides\/send\/batch/),
      isSound,
    ],
  },
];
