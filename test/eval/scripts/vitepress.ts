import { and, edit, instead, move, publish, type TaskScript, without, write } from './script.ts';

const config = 'docs/.vitepress/config.mts';
const entry = (text: string, link: string) => `            { text: '${text}', link: '${link}' },\n`;

const shortcuts = `---
description: Keys of the editor.
---

# Shortcuts

| Key    | Does   |
| ------ | ------ |
| Ctrl+B | bold   |
| Ctrl+I | italic |
| Ctrl+K | link   |

The option [\`readOnly\`](../reference/options#readonly) switches them off.
`;
const toolbar = entry('Toolbar', '/guide/toolbar');
const addPage = [
  write('docs/guide/shortcuts.md', shortcuts),
  edit(config, toolbar, toolbar + entry('Shortcuts', '/guide/shortcuts')),
  publish('Add a page about shortcuts'),
];

const events = entry('Events', '/reference/events');
const movePage = [
  move('docs/guide/upgrade.md', 'docs/reference/upgrade.md'),
  edit('docs/reference/upgrade.md', './saving', '../guide/saving'),
  edit('docs/reference/upgrade.md', '../reference/options#theme', './options#theme'),
  edit('docs/reference/upgrade.md', './plugins#life-cycle', '../guide/plugins#life-cycle'),
  edit('docs/guide/start.md', './upgrade#from-2-to-3', '../reference/upgrade#from-2-to-3'),
  edit(config, entry('Upgrade', '/guide/upgrade'), ''),
  edit(config, events, events + entry('Upgrade', '/reference/upgrade')),
  publish('Move the page about upgrading to the reference'),
];

const headings = [
  edit('docs/guide/saving.md', '## While typing', '## Save as they type'),
  edit('docs/guide/toolbar.md', '## 1. Own buttons', '## Buttons of your own'),
  edit('docs/guide/start.md', './saving#while-typing', './saving#save-as-they-type'),
  edit('docs/guide/plugins.md', './toolbar#_1-own-buttons', './toolbar#buttons-of-your-own'),
  publish('Rename two headings'),
];

const start = entry('Get started', '/guide/start');
const saving = entry('Saving', '/guide/saving');
const reorder = [
  edit(config, saving, ''),
  edit(config, start, start + saving),
  publish('Put Saving after Get started'),
];

const deleteSection = [
  edit('docs/guide/themes.md', '## Small screens\n\nBelow 600 pixels the toolbar folds into one button.\n\n', ''),
  edit(
    'docs/guide/toolbar.md',
    '\n::: tip\nOn small screens, the toolbar folds. See [themes](./themes#small-screens).\n:::\n',
    '',
  ),
  publish('Remove what is said about small screens'),
];

export const vitepressScripts: Record<string, TaskScript> = {
  'vitepress/add-page': {
    right: [addPage],
    wrong: [{ reason: /does not have link: '\/guide\/shortcuts'/, runs: [without(addPage, 1)] }],
  },
  'vitepress/move-page': {
    right: [movePage],
    wrong: [
      { reason: /start\.md/, runs: [without(movePage, 4)] },
      { reason: /link \.\/saving/, runs: [without(movePage, 1)] },
      { reason: /config\.mts has/, runs: [without(movePage, 5)] },
    ],
  },
  'vitepress/rename-headings': {
    right: [headings],
    wrong: [
      { reason: /#_1-own-buttons/, runs: [without(headings, 3)] },
      { reason: /Buttons of your own/, runs: [without(headings, 1, 3)] },
    ],
  },
  'vitepress/reorder-navigation': {
    right: [reorder],
    wrong: [
      { reason: /more than its order/, runs: [without(reorder, 1)] },
      { reason: /themes\.md changed/, runs: [and(reorder, edit('docs/guide/themes.md', '# Themes', '# Look'))] },
    ],
  },
  'vitepress/delete-section': {
    right: [deleteSection],
    wrong: [
      { reason: /toolbar\.md/, runs: [without(deleteSection, 1)] },
      {
        reason: /::: tip/,
        runs: [
          instead(
            deleteSection,
            1,
            edit(
              'docs/guide/toolbar.md',
              'On small screens, the toolbar folds. See [themes](./themes#small-screens).\n',
              '',
            ),
          ),
        ],
      },
    ],
  },
};
