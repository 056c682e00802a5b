import { CronExpressionParser } from 'cron-parser';

interface ScheduleSetting {
  /** Five fields: https://man7.org/linux/man-pages/man5/crontab.5.html */
  schedule: string;
  timezone: string;
}

/** The parser also reads a field of seconds, fewer fields, and signs that only it knows. */
const fiveFields = /^[\w*,/-]{1,60}(?: {1,4}[\w*,/-]{1,60}){4}$/;
const ownSigns = /[HL]|\dW/;

/** Why a text is no schedule, to complete a sentence; undefined: it is one that happens. */
export function findScheduleProblem(text: string): string | undefined {
  const isFive = fiveFields.test(text.trim()) && !ownSigns.test(text.replace(/[A-Z]{3}/gi, ''));
  if (!isFive) return 'must have the five fields of cron: minute, hour, day, month and weekday, like 0 6 * * 1';
  try {
    CronExpressionParser.parse(text.trim(), { tz: 'UTC' }).next();
    return undefined;
  } catch {
    return 'never happens, or a field is out of range: minutes are 0-59, hours 0-23, days 1-31, months 1-12, weekdays 0-7';
  }
}

export function isTimezone(name: string): boolean {
  if (!/^[A-Za-z][\w+/-]{0,60}$/.test(name)) return false;
  try {
    new Intl.DateTimeFormat('en', { timeZone: name });
    return true;
  } catch {
    return false;
  }
}

/** The first time after `after`. Where the clock changes, a time of day comes once: one that is left out comes an hour later. */
export const findNextTime = ({ schedule, timezone }: ScheduleSetting, after: Date): Date =>
  CronExpressionParser.parse(schedule.trim(), { tz: timezone, currentDate: after }).next().toDate();
