import { expect, test } from 'vitest';
import { findLimitEnd } from '../../src/github/rate-limit.ts';

const now = new Date('2026-11-20T12:00:00Z');
const epoch = (iso: string) => String(Date.parse(iso) / 1000);
const secondaryUrl =
  'https://docs.github.com/rest/using-the-rest-api/rate-limits-for-the-rest-api#about-secondary-rate-limits';

const limited: [string, number, Record<string, string>, unknown, string][] = [
  ['retry-after in seconds', 403, { 'retry-after': '30' }, {}, '12:00:31'],
  ['retry-after as a date', 429, { 'retry-after': 'Fri, 20 Nov 2026 12:02:00 GMT' }, {}, '12:02:01'],
  ['retry-after that says nothing', 429, { 'retry-after': 'soon' }, {}, '12:01:00'],
  [
    'retry-after wins over the reset',
    403,
    { 'retry-after': '5', 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': epoch('2026-11-20T13:00:00Z') },
    {},
    '12:00:06',
  ],
  [
    'nothing remaining',
    403,
    { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': epoch('2026-11-20T12:40:00Z') },
    {},
    '12:40:01',
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
  ],
  [
    'nothing remaining and a reset that is past',
    403,
    { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': epoch('2026-11-20T11:00:00Z') },
    {},
    '12:01:00',
  ],
  ['nothing remaining and no reset', 403, { 'x-ratelimit-remaining': '0' }, {}, '12:01:00'],
  ['429 without any header', 429, {}, {}, '12:01:00'],
  [
    '403 that links to the secondary limit',
    403,
    { 'x-ratelimit-remaining': '4999' },
    { message: 'x', documentation_url: secondaryUrl },
    '12:01:00',
  ],
  ['403 that names the secondary limit', 403, {}, { message: 'You have exceeded a secondary rate limit.' }, '12:01:00'],
];

test.each(limited)('%s is a limit', (_name, status, headers, data, end) => {
  expect(findLimitEnd({ status, headers, data }, now)).toEqual(new Date(`2026-11-20T${end}Z`));
});

const notLimited: [string, number, Record<string, string>, unknown][] = [
  [
    '403 for a missing permission',
    403,
    { 'x-ratelimit-remaining': '4999' },
    { message: 'Resource not accessible by integration' },
  ],
  ['403 with a body that is no object', 403, {}, 'Forbidden'],
  ['404', 404, { 'x-ratelimit-remaining': '0' }, {}],
  ['503 with retry-after', 503, { 'retry-after': '30' }, {}],
];

test.each(notLimited)('%s is no limit', (_name, status, headers, data) => {
  expect(findLimitEnd({ status, headers, data }, now)).toBeUndefined();
});
