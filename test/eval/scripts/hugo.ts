import { edit, publish, remove, type TaskScript } from './script.ts';

const [from, to] = ['content/docs/install/backups.md', 'content/docs/operate/backups.md'];
const calls = [['move_file', { from, to }] as const, publish('Move backups to the section Operate')];

const upgrade = 'content/docs/operate/upgrade.md';
const deletion = [
  edit('content/_index.md', ', and [back up](/docs/install/backups/) what you bake', ''),
  edit('content/docs/operate/_index.md', '\nLook at the [schedule](/docs/install/backups/#schedule) of backups.\n', ''),
  edit(upgrade, 'weight: 1\n', 'weight: 1\naliases:\n  - /docs/backup/\n  - /docs/install/backups/\n'),
  edit('hugo.toml', '\n[[menus.main]]\nname = "Backups"\npageRef = "/docs/install/backups"\n', ''),
  edit(upgrade, 'Make a [backup](/docs/install/backups/) first.\n\n', ''),
  remove('content/docs/install/backups.md'),
  publish('Remove the page about backups'),
];

export const hugoScripts: Readonly<Record<string, TaskScript>> = {
  'hugo/move-page': {
    right: [calls],
    wrong: [
      {
        reason: /does not have .*install/,
        runs: [[calls[0] ?? publish(''), edit(to, '  - /docs/install/backups/\n', ''), ...calls.slice(1)]],
      },
    ],
  },
  'hugo/delete-page': { right: [deletion] },
};
