import { expect, test } from 'vitest';
import { describeSchedule } from '../../../src/http/dashboard/automation-routes.ts';

test.each([
  ['0 6 * * 1', 'Europe/Berlin', 'At 06:00, only on Monday (Europe/Berlin)'],
  ['30 2 * * *', undefined, 'At 02:30, every day (UTC)'],
  ['0 9 1 * *', undefined, 'At 09:00, on day 1 of the month (UTC)'],
  ['0 18 * * MON-FRI', undefined, 'At 18:00, Monday through Friday (UTC)'],
  ['0 0 1 1 7', undefined, 'At 00:00, on day 1 of the month, and on Sunday, only in January (UTC)'],
])('the page says in words when %s in %s is', (schedule, timezone, words) => {
  expect(describeSchedule(schedule, timezone)).toBe(words);
});
