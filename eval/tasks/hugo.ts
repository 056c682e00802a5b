import { changesOnly, has, lacks, nowhere, removes } from '../checks/files.ts';
import type { TaskText } from './task.ts';

const [from, to] = ['content/docs/install/backups.md', 'content/docs/operate/backups.md'];

export const hugoTasks: readonly TaskText[] = [
  {
    name: 'hugo/move-page',
    asks: 'Backups belong to the section "Operate": move the page there, as its second page. Its addresses so far keep working, and no page needs them any more.',
    changes: [
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
    ],
  },
  {
    name: 'hugo/delete-page',
    asks: 'Kiln makes no backups any more. Delete the page about them; both of its addresses lead to "Upgrade" from now on. No page tells readers to make one, and the menu has no entry for it.',
    drops: /backs up each night|#schedule|kiln restore/,
    changes: [
      removes(from),
      changesOnly(
        from,
        'hugo.toml',
        'content/_index.md',
        'content/docs/operate/_index.md',
        'content/docs/operate/upgrade.md',
      ),
      has(
        'content/docs/operate/upgrade.md',
        /^ {2}- \/docs\/backup\/?$/m,
        /^ {2}- \/docs\/install\/backups\/?$/m,
        /^## After a restore$/m,
      ),
      lacks('content/docs/operate/upgrade.md', /\[backup\]|a backup\b/i),
      has('hugo.toml', /^pageRef = "\/docs\/install"$/m),
      nowhere(/backups?\b|back up/i, { except: ['content/docs/operate/upgrade.md'] }),
    ],
  },
];
