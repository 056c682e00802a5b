import { edit, publish, type TaskScript, without } from './script.ts';

const pages = 'modules/ROOT/pages';
const calls = [
  ['delete_file', { path: `${pages}/ftp.adoc`, redirect_to: `${pages}/install.adoc` }] as const,
  edit(`${pages}/install.adoc`, ':page-aliases: setup.adoc', ':page-aliases: setup.adoc, ftp.adoc'),
  publish('Take FTP out'),
];

export const antoraScripts: Readonly<Record<string, TaskScript>> = {
  'antora/delete-page': {
    right: [calls],
    wrong: [
      { reason: /does not have .*page-aliases/, runs: [without(calls, 1)] },
      {
        reason: /does not have .*ROOT:install/,
        runs: [[['delete_file', { path: `${pages}/ftp.adoc` }] as const, ...calls.slice(1)]],
      },
    ],
  },
};
