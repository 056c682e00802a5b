import { expect, test } from 'vitest';
import { findExhaustion, findLimit, type Limit } from '../../../src/github/limits/rate-limit.ts';

const now = new Date('2026-11-20T12:00:00Z');

test.each(['1e30', 'Infinity', '31536000'])('a limit of %s seconds ends after a day', (seconds) => {
  const headers = { 'retry-after': seconds };
  expect(findLimit({ status: 429, headers, data: {} }, now)?.until).toEqual(new Date('2026-11-21T12:00:01Z'));
});

const epoch = (iso: string) => String(Date.parse(iso) / 1000);
const secondaryUrl =
  'https://docs.github.com/rest/using-the-rest-api/rate-limits-for-the-rest-api#about-secondary-rate-limits';

type Kind = Limit['kind'];
/** `unstated`: GitHub named no time. */
const limited: [string, number, Record<string, string>, unknown, string, Kind, 'unstated'?][] = [
  ['retry-after in seconds', 403, { 'retry-after': '30' }, {}, '12:00:31', 'secondary'],
  ['retry-after as a date', 429, { 'retry-after': 'Fri, 20 Nov 2026 12:02:00 GMT' }, {}, '12:02:01', 'secondary'],
  ['an invalid retry-after', 429, { 'retry-after': 'soon' }, {}, '12:01:00', 'secondary', 'unstated'],
  [
    'retry-after wins over the reset',
    403,
    { 'retry-after': '5', 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': epoch('2026-11-20T13:00:00Z') },
    {},
    '12:00:06',
    'primary',
  ],
  [
    'nothing remaining',
    403,
    { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': epoch('2026-11-20T12:40:00Z') },
    {},
    '12:40:01',
    'primary',
  ],
  [
    'nothing remaining, by a clock of GitHub that is ahead',
    429,
    {
      date: 'Fri, 20 Nov 2026 12:10:00 GMT',
      'x-ratelimit-remaining': '0',
      'x-ratelimit-reset': epoch('2026-11-20T12:40:00Z'),
    },
    {},
    '12:30:01',
    'primary',
  ],
  [
    'nothing remaining and a reset that is past',
    403,
    { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': epoch('2026-11-20T11:00:00Z') },
    {},
    '12:01:00',
    'primary',
    'unstated',
  ],
  ['nothing remaining and no reset', 403, { 'x-ratelimit-remaining': '0' }, {}, '12:01:00', 'primary', 'unstated'],
  ['429 without any header', 429, {}, {}, '12:01:00', 'secondary', 'unstated'],
  [
    '403 that links to the secondary limit',
    403,
    { 'x-ratelimit-remaining': '4999' },
    { message: 'x', documentation_url: secondaryUrl },
    '12:01:00',
    'secondary',
    'unstated',
  ],
  [
    '403 that names the secondary limit',
    403,
    {},
    { message: 'You have exceeded a secondary rate limit.' },
    '12:01:00',
    'secondary',
    'unstated',
  ],
  ...[
    { message: 'was submitted too quickly' },
    { message: 'Validation Failed', errors: ['was submitted too quickly after your last comment'] },
    { message: 'Validation Failed', errors: [{ resource: 'PullRequest', message: 'was submitted too quickly' }] },
    { message: 'Validation Failed', errors: [{ resource: 'PullRequestReviewComment', code: 'abuse' }] },
  ].map((body): (typeof limited)[number] => [
    `422 that says ${JSON.stringify(body)}`,
    422,
    { 'x-ratelimit-remaining': '4999' },
    body,
    '12:01:00',
    'secondary',
    'unstated',
  ]),
];

test.each(limited)('findLimit finds a limit: %s', (_name, status, headers, data, end, kind, unstated) => {
  const until = new Date(`2026-11-20T${end}Z`);
  expect(findLimit({ status, headers, data }, now)).toEqual({ kind, until, isStated: unstated === undefined });
});

const notLimited: [string, number, Record<string, string>, unknown][] = [
  [
    '403 for a missing permission',
    403,
    { 'x-ratelimit-remaining': '4999' },
    { message: 'Resource not accessible by integration' },
  ],
  ['403 with a body that is no object', 403, {}, 'Forbidden'],
  ['422 for something else', 422, { 'x-ratelimit-remaining': '0' }, { message: 'Validation Failed', errors: ['x'] }],
  ['404', 404, { 'x-ratelimit-remaining': '0' }, {}],
  ['503 with retry-after', 503, { 'retry-after': '30' }, {}],
];

test.each(notLimited)('findLimit finds no limit: %s', (_name, status, headers, data) => {
  expect(findLimit({ status, headers, data }, now)).toBeUndefined();
});

test.each<[string, Record<string, string>, string | undefined]>([
  ['is the last of the hour', { remaining: '0', reset: epoch('2026-11-20T12:40:00Z') }, '12:40:01'],
  ['leaves one request', { remaining: '1', reset: epoch('2026-11-20T12:40:00Z') }, undefined],
  ['leaves none of a past hour', { remaining: '0', reset: epoch('2026-11-20T11:00:00Z') }, undefined],
  ['leaves none without a reset', { remaining: '0' }, undefined],
  ['has no headers', {}, undefined],
])('findExhaustion reads an answer that %s', (_name, limits, end) => {
  const headers = Object.fromEntries(Object.entries(limits).map(([name, value]) => [`x-ratelimit-${name}`, value]));
  const limit = { kind: 'primary', until: new Date(`2026-11-20T${end}Z`), isStated: true };
  expect(findExhaustion({ headers }, now)).toEqual(end && limit);
});
