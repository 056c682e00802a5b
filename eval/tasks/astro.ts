import { changesOnly, has, nowhere, removes } from '../checks/files.ts';
import type { TaskText } from './task.ts';

const at = (name: string) => `src/content/guides/${name}.md`;
const [from, to] = [at('send/batch'), at('batches')];
const configuration = 'astro.config.mjs';

export const astroTasks: readonly TaskText[] = [
  {
    name: 'astro/move-page',
    asks: 'Batches are a topic of their own: the page should be at /guides/batches. Links to it, also those from other sites, must still work.',
    changes: [
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
    ],
  },
];
