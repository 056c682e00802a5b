import type { Task } from '../task.ts';
import { createFollowing } from './create-following.ts';

const { documents, leavesAlone } = createFollowing({ site: 'orchard', code: 'orchard' });

export const orchardTasks: readonly Task[] = [
  documents(
    'one-package',
    [
      {
        title: 'Let entries live for ten minutes',
        edits: { 'packages/server/src/options.ts': { 'ttlSeconds: 300': 'ttlSeconds: 600' } },
      },
    ],
    {
      'docs/server.md': {
        has: [/^\| `ttlSeconds` \| 600 \|/m, /^\| `maxEntries` \| 10000 \|/m],
        from: 'packages/server/src/options.ts',
      },
    },
  ),
  leavesAlone('release-script', [
    {
      title: 'Publish the client first',
      edits: { 'tools/release.mjs': { "['server', 'client']": "['client', 'server']" } },
    },
  ]),
];
