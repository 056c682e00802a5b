import { opensPullRequest } from '../checks/answers.ts';
import { isSound } from '../checks/docs.ts';
import { changesOnly, has, lacks, removes } from '../checks/files.ts';
import type { Task } from './task.ts';

export const antoraTasks: readonly Task[] = [
  {
    name: 'antora/delete-page',
    site: 'antora',
    messages: [
      'Granary has no FTP any more: delete that page. Its address leads to the page "Install" from now on, and so do the links to it.',
    ],
    checks: [
      opensPullRequest,
      removes('modules/ROOT/pages/ftp.adoc'),
      changesOnly(
        'modules/ROOT/pages/ftp.adoc',
        'modules/ROOT/pages/index.adoc',
        'modules/ROOT/pages/install.adoc',
        'modules/ROOT/nav.adoc',
        'modules/ops/pages/backup.adoc',
      ),
      has('modules/ROOT/pages/install.adoc', /^:page-aliases: (?:setup\.adoc, ?ftp\.adoc|ftp\.adoc, ?setup\.adoc)$/m),
      has('modules/ops/pages/backup.adoc', /xref:ROOT:install\.adoc/),
      lacks('modules/ROOT/nav.adoc', /ftp/i),
      isSound,
    ],
  },
];
