import { edit, publish, type TaskScript, write } from './script.ts';

const pages = 'modules/ROOT/pages';
const calls = [
  ['delete_file', { path: `${pages}/ftp.adoc`, redirect_to: `${pages}/install.adoc` }] as const,
  edit(`${pages}/install.adoc`, ':page-aliases: setup.adoc', ':page-aliases: setup.adoc, ftp.adoc'),
  publish('Take FTP out'),
];

const desktop = [
  write('modules/ROOT/pages/desktop.adoc', '= Desktop client\n\nThe desktop client shows all shares.\n'),
  edit('modules/ROOT/pages/install.adoc', '\n[#desktop]\n== Desktop\n\nThe desktop client shows all shares.\n', ''),
  edit('modules/ROOT/pages/ftp.adoc', 'xref:install.adoc#desktop[', 'xref:desktop.adoc['),
  edit(
    'modules/ROOT/nav.adoc',
    '* xref:install.adoc[Install]',
    '* xref:install.adoc[Install]\n* xref:desktop.adoc[Desktop client]',
  ),
  publish('Give the desktop client a page of its own'),
];

export const antoraScripts: Readonly<Record<string, TaskScript>> = {
  'antora/delete-page': {
    right: [calls],
    wrong: [
      {
        reason: /does not have .*ROOT:install/,
        runs: [[['delete_file', { path: `${pages}/ftp.adoc` }] as const, ...calls.slice(1)]],
      },
    ],
  },
  'antora/move-section': { right: [desktop] },
};
