import { opensPullRequest } from '../checks/answers.ts';
import { isSound, redirects } from '../checks/docs.ts';
import { changesOnly, has, inOrder, lacks, nowhere, onlyAdds, removes } from '../checks/files.ts';
import type { Check, Files } from '../checks/outcome.ts';
import { spoilBy, type TaskText } from './task.ts';

const recipes = Array.from({ length: 40 }, (_, index) => `recipes/recipe-${index + 1}.md`);

/** Each links to a page outside and to the next one. */
function addRecipes(files: Files): Files {
  const pages = recipes.map((recipe, index): [string, string] => {
    const next = recipes[index + 1] ?? recipes[0] ?? '';
    const text = `# Recipe ${index + 1}\n\n[Share](../use/share.md) the result, or try [the next one](${next.replace('recipes/', '')}).\n`;
    return [`docs/${recipe}`, text];
  });
  const listed = recipes.map((recipe, index) => `      - Recipe ${index + 1}: ${recipe}\n`).join('');
  return spoilBy(
    { path: 'mkdocs.yml', from: '  - Glossary:', to: `  - Recipes:\n${listed}  - Glossary:` },
    { path: 'docs/index.md', from: '# Granary\n', to: '# Granary\n\nTry [a recipe](recipes/recipe-7.md).\n' },
  )(new Map([...files, ...pages]));
}

export const mkdocsTasks: readonly TaskText[] = [
  {
    name: 'mkdocs/split-page',
    asks: 'The page "Operate" does two things. Move its sections "Back up" and "Restore" to a page docs/admin/backup.md with the heading "Back up and restore", which follows "Operate" in the navigation. The rest of "Operate" stays.',
    changes: [
      changesOnly(
        'docs/admin/operate.md',
        'docs/admin/backup.md',
        'docs/admin/install.md',
        'docs/index.md',
        'mkdocs.yml',
      ),
      has(
        'docs/admin/backup.md',
        /^# Back up and restore$/m,
        /^#+ Back up$/m,
        /^#+ Restore$/m,
        /granary pause\ngranary backup \/mnt\/backup\ngranary resume/,
        /granary restore \/mnt\/backup/,
        /Test a backup once a month/,
      ),
      has(
        'docs/admin/operate.md',
        /^# Operate$/m,
        /^## Watch the storage$/m,
        /^## Upgrade$/m,
        /\(backup\.md(?:#back-up)?\)/,
      ),
      lacks('docs/admin/operate.md', /^## (?:Back up|Restore)$/m, /granary (?:restore|pause)/),
      has('docs/admin/install.md', /\(backup\.md(?:#back-up)?\)/),
      inOrder('mkdocs.yml', 'admin/operate.md', 'admin/backup.md', 'admin/ftp.md'),
      onlyAdds('mkdocs.yml'),
    ],
  },
  {
    name: 'mkdocs/delete-page',
    asks: 'Granary 6 has no FTP any more. Delete the page about it; its old address leads to the desktop client from now on. The release notes of 5.1.0 keep their sentence, without a link. No other page should offer FTP.',
    drops: /FTP|ftp/,
    changes: [
      changesOnly('docs/admin/ftp.md', 'docs/use/desktop.md', 'docs/releases.md', 'mkdocs.yml'),
      removes('docs/admin/ftp.md'),
      redirects('admin/ftp.md', 'use/desktop.md'),
      redirects('install.md', 'admin/install.md'),
      has('docs/releases.md', /^- FTP access is switched off for new installations\.$/m),
      nowhere(/\bFTP\b/, { except: ['docs/releases.md'] }),
      lacks('mkdocs.yml', /- FTP access/),
    ],
  },
  {
    name: 'mkdocs/edit-table',
    asks: 'In the table on the page about quotas, add a last column "Versions": 5 for Small, 10 for Medium, 50 for Large. And Medium has 200 GB of storage now.',
    checks: [opensPullRequest, changesOnly('docs/use/quotas.md'), hasTable, isSound],
  },
  {
    name: 'mkdocs/glossary',
    asks: 'Add two words to the glossary. "Restore": to bring back the state of a backup; link to the section that explains it. "Plan": what decides how much a person may store; link to the page about quotas. Keep the order of the alphabet.',
    changes: [
      changesOnly('docs/glossary.md'),
      onlyAdds('docs/glossary.md'),
      inOrder(
        'docs/glossary.md',
        '## Client\n',
        '## Plan\n',
        '## Quota\n',
        '## Restore\n',
        '## Share link\n',
        '## Version\n',
      ),
      has(
        'docs/glossary.md',
        /## Plan\n[^#]*\]\(use\/quotas\.md\)/,
        /## Restore\n[^#]*\]\(admin\/operate\.md#restore\)/,
      ),
    ],
  },
  {
    name: 'mkdocs/add-page',
    asks: 'Add a page docs/use/trash.md with the heading "Trash" after "Share files" in the navigation: deleted files stay in the trash for 30 days; choose **Restore** to get one back; the trash counts against the quota (link).',
    changes: [
      changesOnly('docs/use/trash.md', 'mkdocs.yml'),
      has('docs/use/trash.md', /^# Trash$/m, /30 days/, /\*\*Restore\*\*/, /\]\(quotas\.md\)/),
      inOrder('mkdocs.yml', 'use/share.md', 'use/trash.md', 'use/quotas.md'),
      onlyAdds('mkdocs.yml'),
    ],
  },
  {
    name: 'mkdocs/move-folder',
    spoil: addRecipes,
    asks: 'Move the folder docs/recipes, with its 40 pages, to docs/use/recipes. Links, the navigation and old addresses go on working.',
    changes: [
      removes(...recipes.map((recipe) => `docs/${recipe}`)),
      changesOnly(
        ...recipes.flatMap((recipe) => [`docs/${recipe}`, `docs/use/${recipe}`]),
        'docs/index.md',
        'mkdocs.yml',
      ),
      ...recipes.flatMap((recipe) => [
        has(`docs/use/${recipe}`, /\]\(\.\.\/share\.md\)/),
        redirects(recipe, `use/${recipe}`),
      ]),
      has('docs/index.md', /\]\(use\/recipes\/recipe-7\.md\)/),
      inOrder('mkdocs.yml', ...recipes.map((recipe) => `: use/${recipe}\n`)),
      redirects('install.md', 'admin/install.md'),
    ],
  },
];

const wantedTable = [
  ['Plan', 'Storage', 'Largest file', 'Share links', 'Versions'],
  ['Small', '10 GB', '2 GB', '20', '5'],
  ['Medium', '200 GB', '10 GB', '200', '10'],
  ['Large', '1 TB', '50 GB', '1,000', '50'],
];

function hasTable({ before, after }: Parameters<Check>[0]): string[] {
  const path = 'docs/use/quotas.md';
  const split = (text = '') => ({
    rows: text
      .split('\n')
      .filter((line) => line.startsWith('|') && !/^\|[\s:|-]+$/.test(line))
      .map((line) =>
        line
          .split('|')
          .slice(1, -1)
          .map((cell) => cell.trim()),
      ),
    rest: text
      .split('\n')
      .filter((line) => !line.startsWith('|'))
      .join('\n')
      .trim(),
  });
  const [was, is] = [split(before.get(path)), split(after.get(path))];
  return [
    ...(JSON.stringify(is.rows) === JSON.stringify(wantedTable) ? [] : [`the table reads ${JSON.stringify(is.rows)}`]),
    ...(was.rest === is.rest ? [] : [`${path} changed beside its table`]),
  ];
}
