import { changesOnly, has, inOrder, lacks, nowhere, onlyAdds, removes } from '../checks/files.ts';
import type { TaskText } from './task.ts';

/** Of frameworks with one or two tasks each. */
export const smallerTasks: readonly TaskText[] = [
  {
    name: 'docsify/add-page',
    asks: 'Add a page docs/filters.md, "Filters", as the last one of the sidebar: `--skip \'*.tmp\'` leaves files out of a copy. The page about copying links to it at its end.',
    changes: [
      changesOnly('docs/filters.md', 'docs/_sidebar.md', 'docs/copy.md'),
      has('docs/filters.md', /^# Filters$/m, /--skip '\*\.tmp'/),
      has('docs/copy.md', /\]\((?:\/|\.\/|#\/)?filters(?:\.md)?\)/),
      inOrder('docs/_sidebar.md', 'schedules.md', '[Filters]', 'filters'),
      onlyAdds('docs/_sidebar.md'),
      onlyAdds('docs/copy.md'),
    ],
  },
  {
    name: 'docsify/rename-page',
    asks: 'The page "Schedules" is docs/timetables.md from now on, with the heading "Timetables"; so it is called in the sidebar, too.',
    changes: [
      removes('docs/schedules.md'),
      changesOnly('docs/schedules.md', 'docs/timetables.md', 'docs/_sidebar.md', 'docs/README.md'),
      has('docs/timetables.md', /^# Timetables$/m, /^## Times$/m, /\]\(copy\.md\)/),
      has('docs/_sidebar.md', /^- \[Timetables\]\(timetables\.md\)$/m),
      nowhere(/schedules\.md/),
    ],
  },
  {
    name: 'rspress/add-page',
    asks: 'Add a page docs/guide/batch.md, "Sign many files", between "Sign" and "Verify" in the navigation: `quill sign *.pdf` signs all of them with one key. Link to the section about keys.',
    changes: [
      changesOnly('docs/guide/batch.md', 'docs/guide/_meta.json'),
      has('docs/guide/batch.md', /^# Sign many files$/m, /quill sign \*\.pdf/, /\]\([./\w]*sign(?:\.md)?#keys\)/),
      inOrder('docs/guide/_meta.json', '"sign"', '"batch"', '"verify"'),
    ],
  },
  {
    name: 'rspress/move-section',
    asks: 'The section "Keys" of the page "Sign", with the section below it, becomes a page of its own: docs/guide/keys.md, with the heading "Keys", between "Sign" and "Verify" in the navigation. Its text stays word by word, and links lead to the new place.',
    changes: [
      changesOnly('docs/guide/keys.md', 'docs/guide/sign.md', 'docs/guide/verify.md', 'docs/guide/_meta.json'),
      has(
        'docs/guide/keys.md',
        /^# Keys\n\nA key lasts for two years\. Make one with `quill key new`\.\n\n##+ Renew a key\n\nRun `quill key renew` before it ends\.\s*$/m,
      ),
      lacks('docs/guide/sign.md', /Keys|Renew|quill key/),
      has('docs/guide/sign.md', /^# Sign$/m, /^## Time stamps\n\nA signature holds/m),
      has(
        'docs/guide/verify.md',
        /\[key\]\([./\w]*keys(?:\.md)?(?:#keys)?\)/,
        /\[renewed\]\([./\w]*keys(?:\.md)?#renew-a-key\)/,
      ),
      inOrder('docs/guide/_meta.json', '"sign"', '"keys"', '"verify"'),
    ],
  },
  {
    name: 'vuepress/move-page',
    asks: 'Move the page "Patterns" to docs/reference/patterns.md. It keeps its place in the sidebar.',
    changes: [
      removes('docs/guide/patterns.md'),
      changesOnly(
        'docs/guide/patterns.md',
        'docs/reference/patterns.md',
        'docs/guide/weave.md',
        'docs/README.md',
        'docs/.vuepress/config.js',
      ),
      inOrder('docs/.vuepress/config.js', "'/guide/weave.md'", "'/reference/patterns.md'"),
      has('docs/guide/weave.md', /\]\((?:\.\.|)\/reference\/patterns(?:\.md|\.html)#files\)/),
      nowhere(/guide\/patterns/),
    ],
  },
  {
    name: 'zensical/delete-page',
    asks: 'Beacon sends no SMS any more. Delete the page, and let no other page offer them.',
    changes: [
      removes('docs/sms.md'),
      changesOnly('docs/sms.md', 'docs/index.md', 'docs/pages.md', 'zensical.toml'),
      has('docs/pages.md', /within five minutes goes to the next person/),
      inOrder('zensical.toml', '"index.md"', '"pages.md"'),
      nowhere(/\bSMS\b|sms\.md/i),
    ],
  },
  {
    name: 'mdbook/add-page',
    asks: 'Add a page src/exclude.md, "Exclude files", as the last chapter: `skip = ["vendor/**"]` in the configuration leaves files out; link to the page about it.',
    changes: [
      changesOnly('src/exclude.md', 'src/SUMMARY.md'),
      has('src/exclude.md', /^# Exclude files$/m, /skip = \["vendor\/\*\*"\]/, /\]\((?:\.\/)?configuration\.md\)/),
      inOrder('src/SUMMARY.md', '[Configuration](configuration.md)', '- [Exclude files]', 'exclude.md)'),
      onlyAdds('src/SUMMARY.md'),
    ],
  },
  {
    name: 'mdbook/included-data',
    asks: 'The example of a configuration counts at most 2000 files from now on. The page that shows it says so, too.',
    changes: [
      changesOnly('src/examples/tally.toml', 'src/configuration.md'),
      has('src/examples/tally.toml', /^files = \["\*\*\/\*\.md"\]$/m, /^most = 2000$/m),
      has(
        'src/configuration.md',
        /at most 2,?000 files/,
        /^\{\{#include examples\/tally\.toml\}\}$/m,
        /`most` is at most 10000/,
      ),
    ],
  },
  {
    name: 'quarto/formulas',
    asks: 'Two formulas are wrong: the energy is half of m times v squared, and the exponent of the speed is -kd. Say after the second one that $k$ says how fast the current decays.',
    changes: [
      changesOnly('index.qmd'),
      has(
        'index.qmd',
        /^E = \\frac\{1\}\{2\} m v\^\{?2\}?\n\$\$ \{#eq-energy\}$/m,
        /\$v = v_0 e\^\{-\s?k\s?d\}\$/,
        /\$k\$/,
        /^```\{r\}\nplot\(1:10\)\n```$/m,
        /^@eq-energy holds for each drop of water\.$/m,
      ),
    ],
  },
];
