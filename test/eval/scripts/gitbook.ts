import { and, edit, editAll, instead, move, publish, type TaskScript, write } from './script.ts';

const images = ['board.svg', 'card.svg', 'new-board.svg'];
const moveImages = [
  ...images.map((name) => move(`images/${name}`, `assets/screens/${name}`)),
  ...['README.md', 'use/first-steps.md', 'use/boards.md', 'use/cards.md'].map((path) =>
    editAll(path, 'images/', 'assets/screens/'),
  ),
  publish('Move the images'),
];

const entry = `# Changelog

## 3.5 – May 2026

* [Filters](use/boards.md#filters) can be saved.
* Sessions end after 12 hours instead of 8.
`;
const changelog = [
  edit('changelog.md', '# Changelog\n', entry),
  edit('admin/sign-in.md', '8 hours', '12 hours'),
  publish('Announce Meadow 3.5'),
];

const templates = `---
description: Use the columns of a board again.
---

# Templates

**Save as template** in the menu of a board keeps its columns, not its cards.

Only administrators delete templates: see [roles](../admin/people.md#roles).
`;
const cards = '  * [Cards](use/cards.md)\n';
const addPage = [
  write('use/templates.md', templates),
  edit('SUMMARY.md', cards, `${cards}  * [Templates](use/templates.md)\n`),
  publish('Add a page about templates'),
];

const rename = [
  move('use/first-steps.md', 'use/quick-start.md'),
  edit('use/quick-start.md', '# First steps', '# Quick start'),
  edit('README.md', 'use/first-steps.md', 'use/quick-start.md'),
  edit('SUMMARY.md', '[First steps](use/first-steps.md)', '[Quick start](use/quick-start.md)'),
  edit(
    '.gitbook.yaml',
    'getting-started: use/first-steps.md',
    'getting-started: use/quick-start.md\n  use/first-steps: use/quick-start.md',
  ),
  publish('Rename the first steps'),
];

export const gitbookScripts: Record<string, TaskScript> = {
  'gitbook/move-images': { right: [moveImages] },
  'gitbook/changelog': {
    right: [changelog],
    wrong: [
      {
        reason: /where it belongs/,
        runs: [
          instead(changelog, 0, edit('changelog.md', '## 3.3', `${entry.replace('# Changelog\n\n', '')}\n## 3.3`)),
        ],
      },
    ],
  },
  'gitbook/add-page': {
    right: [addPage],
    wrong: [{ reason: /README\.md changed/, runs: [and(addPage, edit('README.md', '# Welcome', '# Meadow'))] }],
  },
  'gitbook/rename-page': {
    right: [rename],
    wrong: [
      {
        reason: /use\/first-steps is not redirected/,
        runs: [instead(rename, 4, edit('.gitbook.yaml', 'first-steps', 'quick-start'))],
      },
    ],
  },
};
