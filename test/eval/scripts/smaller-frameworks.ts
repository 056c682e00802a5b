import { and, edit, move, publish, remove, type TaskScript, write } from './script.ts';

const filters = [
  write('docs/filters.md', "# Filters\n\n`ferry copy --skip '*.tmp'` leaves files out.\n"),
  edit('docs/_sidebar.md', '- [Schedules](schedules.md)', '- [Schedules](schedules.md)\n- [Filters](filters.md)'),
  edit('docs/copy.md', 'where it stopped.', 'where it stopped.\n\nSee also [filters](filters.md).'),
  publish('Add a page about filters'),
];
const timetables = [
  ['move_file', { from: 'docs/schedules.md', to: 'docs/timetables.md' }] as const,
  edit('docs/timetables.md', '# Schedules', '# Timetables'),
  edit('docs/_sidebar.md', '[Schedules]', '[Timetables]'),
  publish('Rename the page about schedules'),
];
const batch = [
  write(
    'docs/guide/batch.md',
    '# Sign many files\n\n`quill sign *.pdf` signs all of them with one [key](./sign.md#keys).\n',
  ),
  edit('docs/guide/_meta.json', '"sign", "verify"', '"sign", "batch", "verify"'),
  publish('Add a page about many files'),
];
const keys = [
  ['move_file', { from: 'docs/guide/sign.md', heading: 'Keys', to: 'docs/guide/keys.md' }] as const,
  edit('docs/guide/_meta.json', '"sign", "verify"', '"sign", "keys", "verify"'),
  publish('Give keys a page of their own'),
];
const patterns = [
  ['move_file', { from: 'docs/guide/patterns.md', to: 'docs/reference/patterns.md' }] as const,
  publish('Move the page about patterns'),
];
const sms = [
  remove('docs/sms.md'),
  edit('docs/index.md', ' or [SMS](sms.md)', ''),
  edit('docs/pages.md', ', by [SMS](sms.md#cost) if she has no app', ''),
  edit('zensical.toml', '  {"SMS" = "sms.md"},\n', ''),
  publish('Remove the page about SMS'),
];
const exclude = [
  write('src/exclude.md', '# Exclude files\n\n`skip = ["vendor/**"]` in the [configuration](configuration.md).\n'),
  edit('src/SUMMARY.md', '(configuration.md)', '(configuration.md)\n- [Exclude files](exclude.md)'),
  publish('Add a page about excluded files'),
];
const included = [
  edit('src/examples/tally.toml', 'most = 500', 'most = 2000'),
  edit('src/configuration.md', 'at most 500 files', 'at most 2000 files'),
  publish('Count 2000 files in the example'),
];
const formulas = [
  edit('index.qmd', '\\frac{1}{2} m v', '\\frac{1}{2} m v^2'),
  edit('index.qmd', '$v = v_0 e^{-d}$.', '$v = v_0 e^{-kd}$, where $k$ says how fast the current decays.'),
  publish('Correct two formulas'),
];

export const smallerScripts: Readonly<Record<string, TaskScript>> = {
  'docsify/add-page': { right: [filters] },
  'docsify/rename-page': { right: [timetables] },
  'rspress/add-page': { right: [batch] },
  'rspress/move-section': {
    right: [keys],
    wrong: [
      {
        reason: /sign\.md has|verify\.md does not have/,
        runs: [
          [
            write(
              'docs/guide/keys.md',
              '# Keys\n\nA key lasts for two years. Make one with `quill key new`.\n\n## Renew a key\n\nRun `quill key renew` before it ends.\n',
            ),
            ...keys.slice(1),
          ],
        ],
      },
    ],
  },
  'vuepress/move-page': {
    right: [patterns],
    wrong: [
      {
        reason: /config\.js does not have/,
        runs: [[move('docs/guide/patterns.md', 'docs/reference/patterns.md'), ...patterns.slice(1)]],
      },
    ],
  },
  'zensical/delete-page': { right: [sms] },
  'mdbook/add-page': { right: [exclude] },
  'mdbook/included-data': { right: [included] },
  'quarto/formulas': {
    right: [formulas],
    wrong: [
      { reason: /index\.qmd does not have/, runs: [and(formulas, edit('index.qmd', '@eq-energy holds', 'It holds'))] },
    ],
  },
};
