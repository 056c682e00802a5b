import { changesOnly, has, inOrder, onlyAdds } from '../checks/files.ts';
import type { TaskText } from './task.ts';

const [page, navigation] = ['fern/pages/bursts.mdx', 'fern/docs.yml'];

export const fernTasks: readonly TaskText[] = [
  {
    name: 'fern/add-page',
    asks: 'Add a page fern/pages/bursts.mdx, "Bursts", as the last guide: a key may send 500 requests in one second, once a minute; link to the limits per key. The address /bursts leads there.',
    changes: [
      changesOnly(page, navigation),
      has(page, /^title: ['"]?Bursts['"]?$/m, /\b500 requests\b/, /\]\(\/guides\/limits#per-key\)/),
      inOrder(
        navigation,
        'pages/limits.mdx',
        '- page: Bursts',
        'path: pages/bursts.mdx',
        'redirects:',
        'source: /bursts',
      ),
      has(navigation, /destination: \/guides\/bursts$/m),
      onlyAdds(navigation),
    ],
  },
];
