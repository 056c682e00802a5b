import { and, edit, instead, move, publish, remove, type TaskScript, write } from './script.ts';

const backUp = `Granary's data is in the database and in \`/var/lib/granary\`. Stop uploads, copy both, and start uploads again:

\`\`\`bash
granary pause
granary backup /mnt/backup
granary resume
\`\`\`

Test a backup once a month.
`;
const restore = `\`\`\`bash
granary restore /mnt/backup
\`\`\`

A restore replaces everything. It needs as much free space as the backup is large.
`;
const sections = `## Back up\n\n${backUp}\n## Restore\n\n${restore}`;
const split = [
  write('docs/admin/backup.md', `# Back up and restore\n\n${sections}`),
  edit('docs/admin/operate.md', `${sections}\n`, ''),
  edit('docs/admin/operate.md', '[Back up](#back-up)', '[Back up](backup.md#back-up)'),
  edit('docs/admin/install.md', 'operate.md#back-up', 'backup.md#back-up'),
  edit(
    'mkdocs.yml',
    '      - Operate: admin/operate.md\n',
    '      - Operate: admin/operate.md\n      - Back up and restore: admin/backup.md\n',
  ),
  publish('Give backups a page of their own'),
];

const deletion = [
  remove('docs/admin/ftp.md'),
  edit(
    'docs/use/desktop.md',
    '\n\nOlder programs can use [FTP](../admin/ftp.md) instead, if your administrator allows it.',
    '',
  ),
  edit('docs/releases.md', '[FTP access](admin/ftp.md)', 'FTP access'),
  edit('mkdocs.yml', '      - FTP access: admin/ftp.md\n', ''),
  edit(
    'mkdocs.yml',
    '        install.md: admin/install.md\n',
    '        install.md: admin/install.md\n        admin/ftp.md: use/desktop.md\n',
  ),
  publish('Remove the page about FTP'),
];

const table = `| Plan   | Storage | Largest file | Share links | Versions |
| ------ | ------- | ------------ | ----------- | -------- |
| Small  | 10 GB   | 2 GB         | 20          | 5        |
| Medium | 200 GB  | 10 GB        | 200         | 10       |
| Large  | 1 TB    | 50 GB        | 1,000       | 50       |
`;
const oldTable = `| Plan       | Storage | Largest file | Share links |
| ---------- | ------- | ------------ | ----------- |
| Small      | 10 GB   | 2 GB         | 20          |
| Medium     | 100 GB  | 10 GB        | 200         |
| Large      | 1 TB    | 50 GB        | 1,000       |
`;
const editTable = [edit('docs/use/quotas.md', oldTable, table), publish('Add versions to the table of quotas')];

const glossary = [
  edit(
    'docs/glossary.md',
    '## Quota\n',
    '## Plan\n\nWhat decides how much a person may store. See [Quotas](use/quotas.md).\n\n## Quota\n',
  ),
  edit(
    'docs/glossary.md',
    '## Share link\n',
    '## Restore\n\nTo bring back the state of a backup. See [Restore](admin/operate.md#restore).\n\n## Share link\n',
  ),
  publish('Add two words to the glossary'),
];

const trash =
  '# Trash\n\nDeleted files stay in the trash for 30 days. Choose **Restore** to get one back.\n\nThe trash counts against your [quota](quotas.md).\n';
const addPage = [
  write('docs/use/trash.md', trash),
  edit(
    'mkdocs.yml',
    '      - Share files: use/share.md\n',
    '      - Share files: use/share.md\n      - Trash: use/trash.md\n',
  ),
  publish('Add a page about the trash'),
];

const recipes = [['move_file', { from: 'docs/recipes', to: 'docs/use/recipes' }] as const, publish('Move the recipes')];

export const mkdocsScripts: Record<string, TaskScript> = {
  'mkdocs/split-page': { right: [split] },
  'mkdocs/delete-page': { right: [deletion] },
  'mkdocs/edit-table': {
    right: [editTable],
    wrong: [
      {
        reason: /the table reads/,
        runs: [instead(editTable, 0, edit('docs/use/quotas.md', oldTable, table.replace('| 200 GB ', '| 100 GB ')))],
      },
      {
        reason: /beside its table/,
        runs: [and(editTable, edit('docs/use/quotas.md', 'Ask your administrator', 'Ask somebody'))],
      },
    ],
  },
  'mkdocs/glossary': {
    right: [glossary],
    wrong: [
      {
        reason: /where it belongs/,
        runs: [
          [
            edit(
              'docs/glossary.md',
              '## Version\n',
              '## Plan\n\nSee [Quotas](use/quotas.md).\n\n## Restore\n\nSee [Restore](admin/operate.md#restore).\n\n## Version\n',
            ),
            publish('Add words'),
          ],
        ],
      },
    ],
  },
  'mkdocs/add-page': {
    right: [addPage],
    wrong: [
      {
        reason: /trash\.md:/,
        runs: [instead(addPage, 0, write('docs/use/trash.md', trash.replace('(quotas.md)', '(quota.md)')))],
      },
    ],
  },
  'mkdocs/move-folder': {
    right: [recipes],
    wrong: [{ reason: /leads to no page/, runs: [[move('docs/recipes', 'docs/use/recipes'), ...recipes.slice(1)]] }],
  },
};
