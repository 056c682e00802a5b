import { z } from 'zod';
import { isBranchName } from './is-branch-name.ts';

/** What PostgreSQL cannot store in JSON: https://www.postgresql.org/docs/current/datatype-json.html */
export const isStorable = (text: string) => text.isWellFormed() && !text.includes('\0');
const isOneLine = (text: string) => isStorable(text) && !/\p{Cc}/u.test(text);

/** YAML reads `1.0` and `true` as something else than text, which the person who wrote it may not see. */
export const mustBe = (what: string) => (issue: { input?: unknown }) =>
  ['number', 'boolean'].includes(typeof issue.input) ? `must be ${what}: put quotes around it` : `must be ${what}`;

export const words = (what: string, maxLength: number) =>
  z
    .string({ error: mustBe(what) })
    .trim()
    .refine((text) => text !== '' && text.length <= maxLength && isOneLine(text), `must be ${what}`);

export const list = <Item extends z.ZodType>(
  item: Item,
  what: string,
  { least = 0, most }: { least?: number; most: number },
) =>
  z
    .array(item, { error: `must be a list of ${what}` })
    .refine(({ length }) => length >= least && length <= most, `must list ${least} to ${most} ${what}`);

export const branch = z
  .string({ error: mustBe('the name of a branch') })
  .refine(isBranchName, 'must be the name of a branch');

export const path = words('a path or glob of at most 100 characters, like docs/**', 100)
  .refine((glob) => !glob.startsWith('!'), 'lists what may be changed: a glob cannot exclude anything with `!`')
  .refine(isRelativeGlob, 'must be written from the top of the repository, with `/` and without `.` or `..` folders')
  // As people know it from .gitignore and CODEOWNERS.
  .transform((glob) => (glob.endsWith('/') ? `${glob}**` : glob));

export const reviewer = z
  .string({ error: mustBe('a login, or organisation/team') })
  .transform((name) => name.trim().replace(/^@/, ''))
  .refine(
    (name) => /^[a-z\d][\w-]{0,99}(?:\/[a-z\d][\w.-]{0,99})?$/i.test(name),
    'must be a login, or organisation/team',
  );

function isRelativeGlob(glob: string): boolean {
  return !glob.includes('\\') && !glob.split('/').some((part) => part === '.' || part === '..');
}
