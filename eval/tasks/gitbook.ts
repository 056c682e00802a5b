import { redirects } from '../checks/docs.ts';
import { becomes, changesOnly, has, inOrder, nowhere, onlyAdds, removes, replacesIn } from '../checks/files.ts';
import type { TaskText } from './task.ts';

const images = ['board.svg', 'card.svg', 'new-board.svg'];

export const gitbookTasks: readonly TaskText[] = [
  {
    name: 'gitbook/move-images',
    asks: 'Move all images from images/ to assets/screens/. Every page must still show them.',
    changes: [
      removes(...images.map((name) => `images/${name}`)),
      ...images.map((name) => becomes(`assets/screens/${name}`, (before) => before.get(`images/${name}`) ?? '')),
      ...['README.md', 'use/first-steps.md', 'use/boards.md', 'use/cards.md'].map((path) =>
        replacesIn(path, 'images/', 'assets/screens/'),
      ),
      changesOnly(
        ...images.flatMap((name) => [`images/${name}`, `assets/screens/${name}`]),
        'README.md',
        'use/first-steps.md',
        'use/boards.md',
        'use/cards.md',
      ),
    ],
  },
  {
    name: 'gitbook/changelog',
    asks: 'Meadow 3.5 comes out in May 2026: filters can be saved, and sessions end after 12 hours instead of 8. Add it to the changelog in its form, with a link to the section about filters, and correct the page that says how long sessions last.',
    changes: [
      changesOnly('changelog.md', 'admin/sign-in.md'),
      replacesIn('admin/sign-in.md', 'after 8 hours', 'after 12 hours'),
      onlyAdds('changelog.md'),
      inOrder('changelog.md', '# Changelog\n', '## 3.5 – May 2026\n', '* ', '* ', '## 3.4 – March 2026\n'),
      has('changelog.md', /\]\(use\/boards\.md#filters\)/, /\b12 hours\b/),
    ],
  },
  {
    name: 'gitbook/add-page',
    asks: 'Add a page use/templates.md, "Templates", below Boards in the table of contents, after Cards: **Save as template** in the menu of a board keeps its columns, not its cards; only administrators delete templates (link to the roles).',
    changes: [
      changesOnly('use/templates.md', 'SUMMARY.md'),
      has('use/templates.md', /^# Templates$/m, /\*\*Save as template\*\*/, /\]\(\.\.\/admin\/people\.md#roles\)/),
      has(
        'SUMMARY.md',
        /\* \[Boards\]\(use\/boards\.md\)\n {2}\* \[Cards\]\(use\/cards\.md\)\n {2}\* \[Templates\]\(use\/templates\.md\)\n\* \[Keyboard/,
      ),
      onlyAdds('SUMMARY.md'),
    ],
  },
  {
    name: 'gitbook/rename-page',
    asks: 'Rename the page use/first-steps.md to use/quick-start.md; its title becomes "Quick start". The old address should lead to it, and everybody who still uses getting-started, too.',
    changes: [
      changesOnly('use/first-steps.md', 'use/quick-start.md', 'README.md', 'SUMMARY.md', '.gitbook.yaml'),
      removes('use/first-steps.md'),
      becomes('use/quick-start.md', (before) =>
        (before.get('use/first-steps.md') ?? '').replace('# First steps', '# Quick start'),
      ),
      nowhere(/first-steps/, { except: ['.gitbook.yaml'] }),
      has('SUMMARY.md', /\* \[Quick start\]\(use\/quick-start\.md\)\n\* \[Boards\]/),
      redirects('getting-started', 'use/quick-start.md'),
      redirects('use/first-steps', 'use/quick-start.md'),
    ],
  },
];
