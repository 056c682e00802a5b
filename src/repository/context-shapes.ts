import { z } from 'zod';
import { branch, list, path, settingMustBe } from './setting-shapes.ts';

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
