import { changesOnly, has, inOrder, nowhere, removes } from '../checks/files.ts';
import type { TaskText } from './task.ts';

export const sphinxTasks: readonly TaskText[] = [
  {
    name: 'sphinx/move-page',
    asks: 'The page "Back up" belongs to a new folder docs/operate. Its heading is "Back up and restore" from now on. It keeps its place in the navigation.',
    changes: [
      removes('docs/guides/backup.rst'),
      changesOnly(
        'docs/guides/backup.rst',
        'docs/operate/backup.rst',
        'docs/guides/install.rst',
        'docs/guides/quotas.rst',
        'docs/index.rst',
        'docs/conf.py',
      ),
      has('docs/conf.py', /^ {4}"guides\/backup\.rst": "operate\/backup\.rst",$/m),
      has('docs/operate/backup.rst', /^Back up and restore\n={19,}$/m, /:ref:`quota <quotas>`/),
      inOrder('docs/index.rst', 'guides/quotas', 'operate/backup'),
      nowhere(/(?<!")guides\/backup|:doc:`backup`|<backup>/),
    ],
  },
];
