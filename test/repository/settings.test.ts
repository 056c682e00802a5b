import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  carefulSettings,
  defaultSettings,
  parseSettings,
  readStoredSettings,
  settingsSchema,
} from '../../src/repository/settings.ts';

const names = Object.keys(settingsSchema.shape).join(', ');

const whole = `# How Pagewright works here
base: develop
model: gpt-5.1
draft: true
comments: mention
mentions: off
paths:
  - docs/**
  - guides/
also: [static/**/*.css]
generated: [docs/cli/**]
instructions: |
  Write "sign in", never "login".

  Keep sentences short.
quote: never
labels: [documentation, "good first issue"]
reviewers:
  - rita
  - "@acme/writers"
also_to: [release/2.x]
sign_off: true
co_authors: false
context:
  - acme/api
  - repository: acme/sdk
    ref: next
    paths: [src/]
documentation: {repository: acme/handbook, public: true}
automations:
  tidy: {on: {schedule: 0 6 * * 1}, prompt: Tidy up.}
`;

test('a file with every setting is parsed', () => {
  expect(parseSettings(whole)).toEqual({
    settings: {
      base: 'develop',
      model: 'gpt-5.1',
      draft: true,
      comments: 'mention',
      mentions: 'off',
      paths: ['docs/**', 'guides/**'],
      also: ['static/**/*.css'],
      generated: ['docs/cli/**'],
      instructions: 'Write "sign in", never "login".\n\nKeep sentences short.',
      quote: 'never',
      labels: ['documentation', 'good first issue'],
      reviewers: ['rita', 'acme/writers'],
      also_to: ['release/2.x'],
      sign_off: true,
      co_authors: false,
      fix_checks: 2,
      checks: 'off',
      checks_off: [],
      preview: null,
      context: [
        { repository: 'acme/api', ref: null, paths: null },
        { repository: 'acme/sdk', ref: 'next', paths: ['src/**'] },
      ],
      documentation: [{ repository: 'acme/handbook', public: true }],
      automations: {
        tidy: { on: { schedule: '0 6 * * 1' }, every: 'merge', prompt: 'Tidy up.', bots: false, reviewers: [] },
      },
    },
    problems: [],
  });
});

test.each([
  ['an empty file', ''],
  ['white space', ' \n\n'],
  ['only comments', '# base: develop\n'],
  ['an empty document', '---\n'],
])('%s means the defaults', (_name, text) => {
  expect(parseSettings(text)).toEqual({ settings: defaultSettings, problems: [] });
});

test('the defaults restrict nothing', () => {
  expect(defaultSettings).toEqual({
    base: null,
    model: null,
    draft: false,
    comments: 'all',
    mentions: 'all',
    paths: null,
    also: [],
    generated: [],
    instructions: null,
    quote: null,
    labels: [],
    reviewers: [],
    also_to: [],
    sign_off: false,
    co_authors: true,
    fix_checks: 2,
    checks: 'off',
    checks_off: [],
    preview: null,
    context: [],
    documentation: [],
    automations: {},
  });
});

test.each<[string, string, Partial<typeof defaultSettings>]>([
  ['off, which is a word in YAML 1.2', 'comments: off', { comments: 'off' }],
  ['off, also after a directive for YAML 1.1', '%YAML 1.1\n---\ncomments: off', { comments: 'off' }],
  ['a byte order mark and Windows line ends', '\uFEFFbase: next\r\ndraft: true\r\n', { base: 'next', draft: true }],
  ['JSON', '{"base": "next", "labels": []}', { base: 'next' }],
  ['no mending of checks', 'fix_checks: 0', { fix_checks: 0 }],
  ['kinds of problems', 'checks_off: [alt-text]', { checks_off: ['alt-text'] }],
  ['a check of every pull request', 'checks: require', { checks: 'require' }],
  ['no previews', 'preview: off', { preview: 'off' }],
  [
    'an address of previews',
    'preview: https://deploy-{number}.example.com/docs/',
    { preview: 'https://deploy-{number}.example.com/docs/' },
  ],
  [
    'one repository that is documented elsewhere',
    'documentation: acme/docs',
    { documentation: [{ repository: 'acme/docs', public: false }] },
  ],
  [
    'several of them',
    'documentation: [acme/docs, {repository: acme/site, public: true}]',
    {
      documentation: [
        { repository: 'acme/docs', public: false },
        { repository: 'acme/site', public: true },
      ],
    },
  ],
])('%s is read', (_name, text, expected) => {
  expect(parseSettings(text)).toEqual({ settings: { ...defaultSettings, ...expected }, problems: [] });
});

test('mistakes list the names of all settings once', () => {
  const { problems } = parseSettings('schedule: daily\nbranches: [x]');
  expect(problems).toEqual([
    '`schedule` is not a setting (line 1)',
    `\`branches\` is not a setting; the settings are ${names} (line 2)`,
  ]);
});

test.each<[string, string, string]>([
  ['a wrong word', 'comments: never', '`comments` must be one of: all, mention, off'],
  ['a fraction of a round', 'fix_checks: 1.5', '`fix_checks` must be a whole number from 0 to 10'],
  ['too many rounds', 'fix_checks: 11', '`fix_checks` must be a whole number from 0 to 10'],
  [
    'a preview without a number',
    'preview: https://example.com',
    '`preview` must be off, or an https address with {number}',
  ],
  [
    'a preview that runs',
    'preview: "javascript:alert({number})"',
    '`preview` must be off, or an https address with {number}',
  ],
  [
    'a preview with a password',
    'preview: https://a:b@{number}.example.com',
    '`preview` must be off, or an https address with {number}',
  ],
  ['a mistyped name', 'base: a\nlables: [x]', '`lables` is not a setting; did you mean `labels`? (line 2)'],
  ['a name in capitals', 'Draft: true', '`Draft` is not a setting; did you mean `draft`?'],
  ['a name that is like none', 'schedule: daily', `\`schedule\` is not a setting; the settings are ${names}`],
  ['a name of the language', '__proto__: x', `\`__proto__\` is not a setting; the settings are ${names}`],
  ['a name given twice', 'base: a\ndraft: true\nbase: b', '`base` appears twice (lines 1 and 3)'],
  ['a name without a value', 'labels:\nbase: main', '`labels` has no value: add one or remove the setting'],
  ['a number for a text', 'base: 1.0', '`base` must be a valid branch name: put it in quotes'],
  ['an impossible branch', 'base: a..b', '`base` must be a valid branch name'],
  ['a branch that git would take for an option', 'base: --all', '`base` must be a valid branch name'],
  ['a word for a choice of two', 'draft: yes', '`draft` must be true or false'],
  ['one text for a list', 'labels: docs', '`labels` must be a list of labels'],
  [
    'a bad item',
    'labels:\n  - docs\n  - 7',
    'An item of `labels` must be a label of at most 50 characters: put it in quotes (line 3)',
  ],
  ['a list inside a list', 'labels: [[docs]]', 'An item of `labels` must be a label of at most 50 characters'],
  ['a map for a text', 'base:\n  name: main', '`base` must be a valid branch name'],
  ['no path at all', 'paths: []', '`paths` must have 1 to 100 globs'],
  ['too many labels', `labels: [${Array(21).fill('a')}]`, '`labels` must have 0 to 20 labels'],
  ['too long a label', `labels: [${'a'.repeat(51)}]`, 'An item of `labels` must be a label of at most 50 characters'],
  ['too many reviewers', `reviewers: [${Array(16).fill('a')}]`, '`reviewers` must have 0 to 15 logins or teams'],
  [
    'a reviewer who is none',
    'reviewers: ["rita smith"]',
    'An item of `reviewers` must be a login or organization/team',
  ],
  [
    'a glob that excludes',
    'paths: ["!docs/x"]',
    'An item of `paths` must not start with `!`: it lists what may change',
  ],
  [
    'a path outside',
    'paths: ["../x"]',
    'An item of `paths` must be relative to the repository’s root, with `/` and without `.` or `..`',
  ],
  [
    'too long instructions',
    `instructions: ${'a'.repeat(20_001)}`,
    '`instructions` must have at most 20,000 characters',
  ],
  ['a NUL', 'instructions: "a\\0b"', '`instructions` must not contain NUL characters or lone surrogates'],
  ['half a character', 'model: "\\uD800"', '`model` must be a model name'],
  ['a context that is no list', 'context: acme/api', '`context` must be a list of repositories'],
  [
    'a context repository without its owner',
    'context:\n  - acme/api\n  - api',
    '`repository` of an item of `context` must be owner/repository (line 3)',
  ],
  [
    'a number for a context repository',
    'context: [7]',
    '`repository` of an item of `context` must be owner/repository: put it in quotes',
  ],
  [
    'a context repository without a name',
    'context:\n  - ref: main',
    '`repository` of an item of `context` must be owner/repository (line 2)',
  ],
  [
    'a bad branch of a context repository',
    'context:\n  - repository: acme/api\n    ref: a..b',
    '`ref` of an item of `context` must be a valid branch name (line 3)',
  ],
  [
    'a bad path of a context repository',
    'context:\n  - repository: acme/api\n    paths:\n      - src/**\n      - ../x',
    'An item of `paths` of an item of `context` must be relative to the repository’s root, with `/` and without `.` or `..` (line 5)',
  ],
  [
    'an unknown name in a context repository',
    'context:\n  - repository: acme/api\n    branch: main',
    'An item of `context` may only have repository, ref, paths (line 3)',
  ],
  [
    'a list for a context repository',
    'context: [[acme/api]]',
    'An item of `context` must be owner/repository, or have `repository:`',
  ],
  ['a repository named twice', 'context: [acme/api, ACME/api]', '`context` must name each repository once'],
  [
    'too many context repositories',
    `context: [${Array.from({ length: 11 }, (_, index) => `acme/r${index}`)}]`,
    '`context` must have 0 to 10 repositories',
  ],
  [
    'a word for what may be public',
    'documentation: {repository: acme/docs, public: yes}',
    '`public` of an item of `documentation` must be true or false',
  ],
  [
    'a name given twice in a map',
    'documentation:\n  repository: acme/docs\n  repository: acme/site',
    'A name appears twice (lines 2 and 3)',
  ],
  ['a list for the file', '- base: a', 'The file must have one `name: value` per line'],
  ['text for the file', 'please use main', 'The file must have one `name: value` per line'],
  ['a tab', 'labels:\n\t- a', 'Line 2 is not valid YAML: Tabs are not allowed as indentation'],
  [
    'an open bracket',
    'labels: [a',
    'Line 1 is not valid YAML: Flow sequence in block collection must be sufficiently indented and end with a ]',
  ],
  ['a tag', 'base: !env HOME', 'Line 1 is not valid YAML: Unresolved tag: !env'],
  [
    'two documents',
    'base: a\n---\nbase: b',
    'Line 2 is not valid YAML: Source contains multiple documents; please use YAML.parseAllDocuments()',
  ],
  ['an alias', 'base: &a main\nmodel: *a', '`model` must be a model name (line 2)'],
  ['a file that is too large', `#${'é'.repeat(33_000)}`, 'The file must not exceed 64 KiB'],
])('promise 5: %s is a problem in one sentence, and the settings permit nothing', (_name, text, problem) => {
  const placed = /^(?:Line|The file|A name)|\(lines? /.test(problem) ? problem : `${problem} (line 1)`;
  expect(parseSettings(text)).toEqual({ settings: carefulSettings, problems: [placed] });
});

test('all problems are reported at once, up to ten', () => {
  expect(parseSettings('draft: maybe\ncomments: loud').problems).toHaveLength(2);
  const problems = parseSettings(Array.from({ length: 15 }, (_, index) => `x${index}: 1`).join('\n')).problems;
  expect(problems).toHaveLength(11);
  expect(problems.at(-1)).toBe('5 more problems');
});

test('every mistake of a file is found at once', () => {
  const file = 'draft: maybe\ninstrutions: Write.\nlabels:\nbase: a..b\nbase: next\n';
  expect(parseSettings(file).problems).toEqual([
    '`instrutions` is not a setting; did you mean `instructions`? (line 2)',
    '`labels` has no value: add one or remove the setting (line 3)',
    '`base` appears twice (lines 4 and 5)',
    '`base` must be a valid branch name (line 4)',
    '`draft` must be true or false (line 1)',
  ]);
});

test('an invalid glob is a problem', () => {
  const { settings, problems } = parseSettings('paths: ["docs/**", "{a"]\nalso: ["{b"]', {
    isGlob: (glob) => !glob.includes('{'),
  });
  expect(settings).toEqual(carefulSettings);
  expect(problems).toEqual(['`paths` has an invalid glob: `{a` (line 1)', '`also` has an invalid glob: `{b` (line 2)']);
});

test('a quote of the file cannot break out of its code span', () => {
  const { problems } = parseSettings('"`@rita` <!-- \\n[x](https://x.test)": 1');
  expect(problems).toHaveLength(1);
  expect(problems[0]).toMatch(/^`\?\?rita\? [^`@<[\n]+` is not a setting/);
});

test('nor can a quote by the parser', () => {
  expect(parseSettings('base: !@rita<[x]`> y').problems).toEqual([
    expect.stringMatching(/^Line 1 is not valid YAML: [^`<[\n]+$/),
  ]);
  expect(parseSettings('base: !@rita y').problems[0]).not.toContain('@rita');
  expect(parseSettings('reviewers:\n  - @rita').problems).toEqual([
    'Line 2 is not valid YAML: Plain value cannot start with reserved character @',
  ]);
});

test.each<[string, string]>([
  ['nested lists', '['.repeat(65_000)],
  ['nested dashes', '- '.repeat(32_000)],
  ['nested keys', '? '.repeat(32_000)],
  ['nested keys that are whole', `base: {${'? {'.repeat(200)}${'}'.repeat(200)}}`],
  ['the same key again and again', 'a:\n'.repeat(21_000)],
  ['a bomb of aliases', `a: &a [x]\n${Array.from({ length: 20 }, (_, i) => `b${i}: &b${i} [*a, *a]`).join('\n')}`],
])('a file of %s is refused quickly', (_name, text) => {
  const start = process.threadCpuUsage();
  expect(parseSettings(text).settings).toEqual(carefulSettings);
  const { user, system } = process.threadCpuUsage(start);
  expect((user + system) / 1_000_000, 'seconds of the processor').toBeLessThan(5);
});

const piece = fc.constantFrom(
  ...'base labels comments draft paths context documentation a/b x [ ] { } " \' | > *a # true ~ <<'.split(' '),
  ...[
    ': ',
    ':\n',
    '- ',
    '\n',
    '  ',
    '&a ',
    '!!str ',
    '!x ',
    '? ',
    '---\n',
    '...\n',
    '%YAML 1.1\n',
    '\0',
    '\uD800',
    '\t',
  ],
);

test('any file is parsed without an error, and its settings survive JSON', () => {
  const hostile = fc.oneof(
    fc.array(piece, { maxLength: 30 }).map((pieces) => pieces.join('')),
    fc.string(),
  );
  fc.assert(
    fc.property(hostile, (text) => {
      const { settings, problems } = parseSettings(text);
      if (problems.length > 0) expect(settings).toEqual(carefulSettings);
      for (const problem of problems) expect(problem).not.toContain('\n');
      expect(readStoredSettings(JSON.parse(JSON.stringify(settings)))).toEqual(settings);
    }),
  );
});

test('stored settings of an earlier version get the defaults of new settings', () => {
  expect(settingsSchema.parse({ base: 'next', retired: 1 })).toEqual({ ...defaultSettings, base: 'next' });
});

test('promise 5: settings of another version that cannot be read permit nothing, and settings not read yet are the defaults', () => {
  expect(readStoredSettings({ comments: 'some' })).toEqual(carefulSettings);
  expect(readStoredSettings(null)).toEqual(defaultSettings);
  expect(carefulSettings).toEqual({ ...defaultSettings, comments: 'off', paths: [] });
});
