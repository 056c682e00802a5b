import { z } from 'zod';
import { isBranchName } from './is-branch-name.ts';

/** PostgreSQL's JSON refuses other text: https://www.postgresql.org/docs/current/datatype-json.html */
export const isStorable = (text: string) => text.isWellFormed() && !text.includes('\0');
export const notStorable = 'must not contain NUL characters or lone surrogates';
const isOneLine = (text: string) => isStorable(text) && !/\p{Cc}/u.test(text);

/** To YAML, `1.0` and `true` are not text, which their author may not expect. */
export const settingMustBe = (what: string) => (issue: { input?: unknown }) =>
  ['number', 'boolean'].includes(typeof issue.input) ? `must be ${what}: put it in quotes` : `must be ${what}`;

export const lineOfText = (what: string, maxLength: number) =>
  z
    .string({ error: settingMustBe(what) })
    .trim()
    .refine((text) => text !== '' && text.length <= maxLength && isOneLine(text), `must be ${what}`);

export const list = <Item extends z.ZodType>(
  item: Item,
  what: string,
  { least = 0, most }: { least?: number; most: number },
) =>
  z
    .array(item, { error: `must be a list of ${what}` })
    .refine(({ length }) => length >= least && length <= most, `must have ${least} to ${most} ${what}`);

export const label = lineOfText('a label of at most 50 characters', 50);

export const branch = z
  .string({ error: settingMustBe('a valid branch name') })
  .refine(isBranchName, 'must be a valid branch name');

export const path = lineOfText('a path or glob of at most 100 characters, like docs/**', 100)
  .refine((glob) => !glob.startsWith('!'), 'must not start with `!`: it lists what may change')
  .refine(isRelativeGlob, 'must be relative to the repository’s root, with `/` and without `.` or `..`')
  // As in .gitignore and CODEOWNERS.
  .transform((glob) => (glob.endsWith('/') ? `${glob}**` : glob));

export const reviewer = z
  .string({ error: settingMustBe('a login or organization/team') })
  .transform((name) => name.trim().replace(/^@/, ''))
  .refine(
    (name) => /^[a-z\d][\w-]{0,99}(?:\/[a-z\d][\w.-]{0,99})?$/i.test(name),
    'must be a login or organization/team',
  );

/** `off`, or an address of which `{number}` is the number of the pull request. */
export const preview = z
  .string({ error: settingMustBe('off, or an https address with {number}') })
  .refine((text) => text === 'off' || isPreviewAddress(text), 'must be off, or an https address with {number}');

function isPreviewAddress(text: string): boolean {
  if (text.length > 300 || !text.includes('{number}') || !isOneLine(text)) return false;
  const address = URL.parse(text.replaceAll('{number}', '1'));
  return address?.protocol === 'https:' && address.username === '' && address.password === '';
}

function isRelativeGlob(glob: string): boolean {
  return !glob.includes('\\') && !glob.split('/').some((part) => part === '.' || part === '..');
}

const maxContextRepositories = 10;
const maxDocumented = 20;

export const repositoryName = z
  .string({ error: settingMustBe('owner/repository') })
  .trim()
  .refine(
    (name) => /^[a-z\d][\w-]{0,99}\/[\w.-]{1,100}$/i.test(name) && !/\/\.{1,2}$/.test(name),
    'must be owner/repository',
  );

/** A name alone stands for an entry with this repository. */
const entry = <Shape extends z.ZodRawShape>(shape: Shape) =>
  z
    .preprocess(
      (value) => (typeof value === 'string' || typeof value === 'number' ? { repository: value } : value),
      z.strictObject(shape, {
        error: ({ code }) =>
          code === 'unrecognized_keys'
            ? `may only have ${Object.keys(shape).join(', ')}`
            : 'must be owner/repository, or have `repository:`',
      }),
    )
    .meta({ alsoTakes: 'text' });

const areDistinct = (entries: readonly { repository: string }[]) =>
  new Set(entries.map(({ repository }) => repository.toLowerCase())).size === entries.length;

/** Repositories that runs of this one may read, if those consent. */
export const context = list(
  entry({
    repository: repositoryName,
    /** null: its default branch. */
    ref: branch.nullable().default(null),
    /** null: all of its files. */
    paths: list(path, 'globs', { least: 1, most: 100 }).nullable().default(null),
  }),
  'repositories',
  { most: maxContextRepositories },
)
  .refine(areDistinct, 'must name each repository once')
  .default([]);

/** Repositories whose runs may read this one. `public`: also where more people may see them than this one. */
export const documentation = z
  .preprocess(
    (value) => (Array.isArray(value) ? value : [value]),
    list(
      entry({
        repository: repositoryName,
        public: z.boolean({ error: 'must be true or false' }).default(false),
      }),
      'repositories',
      { most: maxDocumented },
    ).refine(areDistinct, 'must name each repository once'),
  )
  .meta({ alsoTakes: 'item' })
  .default([]);
