import { opensPullRequest } from '../checks/answers.ts';
import { isSound } from '../checks/docs.ts';
import {
  becomes,
  changesOnly,
  has,
  inOrder,
  lacks,
  nowhere,
  onlyAdds,
  onlyReorders,
  removes,
} from '../checks/files.ts';
import type { Task } from './task.ts';

const site = 'vitepress';
const config = 'docs/.vitepress/config.mts';

export const vitepressTasks: readonly Task[] = [
  {
    name: 'vitepress/add-page',
    site,
    messages: [
      'Add a page docs/guide/shortcuts.md with the heading "Shortcuts" after Toolbar in the sidebar. It has a table of keys: Ctrl+B bold, Ctrl+I italic, Ctrl+K link. Say that the option `readOnly` switches them off, with a link to that option.',
    ],
    checks: [
      opensPullRequest,
      changesOnly('docs/guide/shortcuts.md', config),
      has(
        'docs/guide/shortcuts.md',
        /^# Shortcuts$/m,
        /Ctrl\+B.*\|.*bold/i,
        /Ctrl\+I.*\|.*italic/i,
        /Ctrl\+K.*\|.*link/i,
        /\]\([^)]*reference\/options(?:\.md)?#readonly\)/,
      ),
      inOrder(config, "link: '/guide/toolbar'", "link: '/guide/shortcuts'", "link: '/guide/themes'"),
      onlyAdds(config),
      isSound,
    ],
  },
  {
    name: 'vitepress/move-page',
    site,
    messages: [
      'The page about upgrading belongs to the reference: move docs/guide/upgrade.md to docs/reference/upgrade.md, and make it the last entry of the Reference sidebar instead of its place in the guide.',
    ],
    checks: [
      opensPullRequest,
      changesOnly('docs/guide/upgrade.md', 'docs/reference/upgrade.md', 'docs/guide/start.md', config),
      removes('docs/guide/upgrade.md'),
      has(
        'docs/reference/upgrade.md',
        /`autosave` is gone/,
        /guide\/saving/,
        /guide\/plugins(?:\.md)?#life-cycle/,
        /\]\((?:\.\/|\/reference\/|\.\.\/reference\/)?options(?:\.md)?#theme\)/,
      ),
      has('docs/guide/start.md', /reference\/upgrade(?:\.md)?#from-2-to-3/),
      inOrder(config, "link: '/guide/plugins'", "link: '/reference/events'", "link: '/reference/upgrade'"),
      lacks(config, /\/guide\/upgrade/),
      isSound,
    ],
  },
  {
    name: 'vitepress/rename-headings',
    site,
    messages: [
      'Rename two headings: "While typing" on the page about saving becomes "Save as they type", and "1. Own buttons" on the page about the toolbar becomes "Buttons of your own". Links to both must still lead to them.',
    ],
    checks: [
      opensPullRequest,
      changesOnly('docs/guide/saving.md', 'docs/guide/toolbar.md', 'docs/guide/start.md', 'docs/guide/plugins.md'),
      has('docs/guide/saving.md', /^## Save as they type(?: \{#[\w-]+\})?$/m),
      has('docs/guide/toolbar.md', /^## Buttons of your own(?: \{#[\w-]+\})?$/m),
      lacks('docs/guide/saving.md', /While typing/),
      lacks('docs/guide/toolbar.md', /1\. Own buttons/),
      isSound,
    ],
  },
  {
    name: 'vitepress/reorder-navigation',
    site,
    messages: [
      'In the sidebar of the guide, Saving should come right after "Get started". Everything else stays in its order.',
    ],
    checks: [
      opensPullRequest,
      changesOnly(config),
      onlyReorders(config),
      inOrder(
        config,
        "link: '/guide/start'",
        "link: '/guide/saving'",
        "link: '/guide/toolbar'",
        "link: '/guide/themes'",
        "link: '/guide/plugins'",
      ),
      isSound,
    ],
  },
  {
    name: 'vitepress/delete-section',
    site,
    messages: [
      'Quill 4 has no folding toolbar. Delete the section about small screens from the page about themes, and whatever refers to the folding on other pages.',
    ],
    checks: [
      opensPullRequest,
      changesOnly('docs/guide/themes.md', 'docs/guide/toolbar.md'),
      becomes('docs/guide/themes.md', (before) =>
        (before.get('docs/guide/themes.md') ?? '').replace(
          '## Small screens\n\nBelow 600 pixels the toolbar folds into one button.\n\n',
          '',
        ),
      ),
      nowhere(/folds|small-screens/),
      has('docs/guide/toolbar.md', /## 1\. Own buttons/),
      lacks('docs/guide/toolbar.md', /::: tip\s+:::/),
      isSound,
    ],
  },
];
