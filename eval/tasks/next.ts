import { changesOnly, has, nowhere, removes } from '../checks/files.ts';
import type { TaskText } from './task.ts';

const at = (name: string) => `content/docs/${name}.md`;
const sidebar = 'data/sidebar.json';
const [from, to] = [at('keys'), at('security/keys')];

export const nextTasks: readonly TaskText[] = [
  {
    name: 'next/move-page',
    asks: 'Move the page about keys to content/docs/security/keys.md, and let all links lead to its new address.',
    changes: [
      removes(from),
      changesOnly(from, to, at('index'), at('install'), at('roles'), at('audit'), sidebar),
      has(to, /^## Make a key$/m),
      has(at('install'), /\]\(\/docs\/security\/keys#make-a-key\)/),
      has(sidebar, /"path": "\/docs\/security\/keys"/),
      nowhere(/\]\(\/docs\/keys/),
    ],
  },
];
