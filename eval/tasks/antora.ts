import { changesOnly, has, inOrder, lacks, removes } from '../checks/files.ts';
import type { TaskText } from './task.ts';

export const antoraTasks: readonly TaskText[] = [
  {
    name: 'antora/delete-page',
    asks: 'Granary has no FTP any more: delete that page. Its address leads to the page "Install" from now on, and so do the links to it.',
    changes: [
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
    ],
  },
  {
    name: 'antora/move-section',
    asks: 'The section "Desktop" of the page "Install" becomes a page of its own: modules/ROOT/pages/desktop.adoc with the title "Desktop client", after "Install" in the navigation. Its text stays as it is, and references lead to the new page.',
    changes: [
      changesOnly(
        'modules/ROOT/pages/desktop.adoc',
        'modules/ROOT/pages/install.adoc',
        'modules/ROOT/pages/ftp.adoc',
        'modules/ROOT/nav.adoc',
      ),
      has('modules/ROOT/pages/desktop.adoc', /^= Desktop client$/m, /^The desktop client shows all shares\.$/m),
      lacks('modules/ROOT/pages/install.adoc', /[Dd]esktop/),
      has('modules/ROOT/pages/install.adoc', /^:page-aliases: setup\.adoc$/m, /^granary install$/m),
      has('modules/ROOT/pages/ftp.adoc', /xref:desktop\.adoc(?:#desktop)?\[the desktop client\]/),
      inOrder('modules/ROOT/nav.adoc', 'xref:install.adoc', 'xref:desktop.adoc', 'xref:ftp.adoc'),
    ],
  },
];
