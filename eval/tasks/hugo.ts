import { opensPullRequest } from '../checks/answers.ts';
import { isSound } from '../checks/docs.ts';
import { changesOnly, has, nowhere, removes } from '../checks/files.ts';
import type { Task } from './task.ts';

const [from, to] = ['content/docs/install/backups.md', 'content/docs/operate/backups.md'];

export const hugoTasks: readonly Task[] = [
  {
    name: 'hugo/move-page',
    site: 'hugo',
    messages: [
      'Backups belong to the section "Operate": move the page there, as its second page. Its addresses so far keep working, and no page needs them any more.',
    ],
    checks: [
      opensPullRequest,
      removes(from),
      changesOnly(
        from,
        to,
        'hugo.toml',
        'content/_index.md',
        'content/docs/operate/_index.md',
        'content/docs/operate/upgrade.md',
      ),
      has(to, /^weight: 2$/m, /^ {2}- \/docs\/backup\/$/m, /^ {2}- \/docs\/install\/backups\/?$/m, /^## Restore$/m),
      has('hugo.toml', /^pageRef = "\/docs\/operate\/backups"$/m),
      nowhere(/\/docs\/install\/backups/, { except: [to] }),
      isSound,
    ],
  },
];
