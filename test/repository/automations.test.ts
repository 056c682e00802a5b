import { expect, test } from 'vitest';
import { readTrigger } from '../../src/repository/automation-shapes.ts';
import { findNextTime, findScheduleProblem, isTimezone } from '../../src/repository/schedule.ts';
import { carefulSettings, parseSettings, readStoredSettings } from '../../src/repository/settings.ts';

const whole = `automations:
  api-reference:
    on: {merged: acme/api, paths: [src/routes/**, openapi.yaml]}
    every: day
    prompt: Bring the reference in line with these changes.
    reviewers: [author, rita]
  release-notes:
    on: {released: acme/api}
    prompt: Add the release to the changelog page.
    bots: true
  tidy:
    on: {schedule: '0 6 * * 1', timezone: Europe/Berlin}
    prompt: Find pages that contradict each other, and make them agree.
  needs-docs:
    on: {label: needs-docs, repository: acme/api}
    prompt: Document what the issue asks for.
`;

test('automations are read with their defaults, and survive the database', () => {
  const { settings, problems } = parseSettings(whole);
  expect(problems).toEqual([]);
  expect(readStoredSettings(JSON.parse(JSON.stringify(settings)))).toEqual(settings);
  const { 'release-notes': release, ...others } = settings.automations;
  expect(release).toEqual({
    on: { released: 'acme/api' },
    every: 'merge',
    prompt: 'Add the release to the changelog page.',
    bots: true,
    reviewers: [],
  });
  expect(Object.values(others).map(readTrigger)).toEqual([
    { kind: 'merged', repository: 'acme/api', paths: ['src/routes/**', 'openapi.yaml'] },
    { kind: 'schedule', schedule: '0 6 * * 1', timezone: 'Europe/Berlin' },
    { kind: 'label', label: 'needs-docs', repository: 'acme/api' },
  ]);
});

const one = (lines: string) => `automations:\n  tidy:\n    prompt: Tidy up.\n${lines.replace(/^/gm, '    ')}\n`;

test.each<[string, string, string]>([
  ['a list', 'automations: [tidy]', '`automations` must be a map of `name: {on, prompt}` (line 1)'],
  ['nothing to say', 'automations:\n  tidy:\n    on: {merged: acme/api}', '`prompt` of … must be a text (line 2)'],
  ['no trigger', one('on: {}'), '`on` of … must have exactly one of: merged, released, schedule, label (line 4)'],
  [
    'two triggers',
    one('on: {merged: acme/api, label: docs}'),
    '`on` of … must have exactly one of: merged, released, schedule, label (line 4)',
  ],
  [
    'a mistyped setting',
    one('on: {merged: acme/api}\nevry: day'),
    '`tidy` of `automations` may only have on, every, prompt, bots, reviewers (line 5)',
  ],
  [
    'a mistyped trigger',
    one('on:\n  merged: acme/api\n  path: [src/**]'),
    '`on` of … may only have merged, paths, released, schedule, timezone, label, repository (line 6)',
  ],
  [
    'paths of a release',
    one('on:\n  released: acme/api\n  paths: [src/**]'),
    '`paths` of `on` of … belongs to `merged` (line 6)',
  ],
  ['no repository', one('on: {merged: api}'), '`merged` of `on` of … must be owner/repository (line 4)'],
  [
    'a period that is none',
    one('on: {merged: acme/api}\nevery: month'),
    '`every` of … must be one of: merge, hour, day, week (line 5)',
  ],
  [
    'a period beside a schedule',
    one("on: {schedule: '0 6 * * 1'}\nevery: day"),
    '`every` of … does not go with a schedule (line 5)',
  ],
  [
    'a day that never comes',
    one("on:\n  schedule: '0 6 31 2 *'"),
    '`schedule` of `on` of … never happens, or a field is out of range: minutes are 0-59, hours 0-23, days 1-31, months 1-12, weekdays 0-7 (line 5)',
  ],
  [
    'a timezone that is none',
    one("on: {schedule: '0 6 * * 1', timezone: Mars/Base}"),
    '`timezone` of `on` of … must be a timezone, like Europe/Berlin or UTC (line 4)',
  ],
  [
    'a name with a capital',
    'automations:\n  Tidy:\n    on: {merged: acme/api}\n    prompt: Tidy.',
    '`Tidy` of `automations` must have a name of 1 to 40 letters a-z, digits and hyphens (line 2)',
  ],
  [
    'too many of them',
    `automations:\n${Array.from({ length: 21 }, (_, n) => `  a${n}: {on: {merged: acme/api}, prompt: Go.}\n`).join('')}`,
    '`automations` must have at most 20 automations (line 1)',
  ],
  [
    'a broken glob',
    one('on: {merged: acme/api, paths: ["{a"]}'),
    '`automations.tidy.on.paths` has an invalid glob: `{a` (line 4)',
  ],
])('promise 5: automations with %s are a problem that names its line', (_name, text, problem) => {
  const isGlob = (glob: string) => !glob.includes('{');
  const problems = [problem.replace('of …', 'of `tidy` of `automations`')];
  expect(parseSettings(text, { isGlob })).toEqual({ settings: carefulSettings, problems });
});

test.each<[string, boolean]>([
  ['0 6 * * 1', true],
  ['*/15 9-17 * * MON-FRI', true],
  ['0 0 29 2 *', true],
  ['0 0 1,15 JAN,JUL *', true],
  ['0 0 31 4,6 *', false],
  ['0 0 30 2 *', false],
  ['60 * * * *', false],
  ['* * * * * *', false],
  ['* * * *', false],
  ['@daily', false],
  ['H * * * *', false],
  ['0 0 L * *', false],
  ['', false],
])('the schedule "%s" is possible: %s', (text, isPossible) => {
  expect(findScheduleProblem(text) === undefined).toBe(isPossible);
});

test('a timezone has a name of the database of timezones', () => {
  expect(['UTC', 'Europe/Berlin', 'America/Argentina/Ushuaia', 'Etc/GMT+5'].map(isTimezone)).toEqual(
    Array(4).fill(true),
  );
  expect(['+02:00', '', 'Berlin', 'Europe/../UTC'].map(isTimezone)).toEqual(Array(4).fill(false));
});

/** The times that follow a moment. */
function listTimes(schedule: string, timezone: string, from: string, count: number): string[] {
  const times: string[] = [];
  for (let at = new Date(from); times.length < count; times.push(at.toISOString().slice(0, 16)))
    at = findNextTime({ schedule, timezone }, at);
  return times;
}

test.each<[string, string, string[]]>([
  ['there is no 2:30', '2026-03-28T00:00:00Z', ['2026-03-28T01:30', '2026-03-29T01:30', '2026-03-30T00:30']],
  ['2:30 comes twice', '2026-10-24T00:00:00Z', ['2026-10-24T00:30', '2026-10-25T00:30', '2026-10-26T01:30']],
])('promise 38: on the day that %s a schedule fires once', (_name, from, times) => {
  expect(listTimes('30 2 * * *', 'Europe/Berlin', from, 3)).toEqual(times);
});
