import { z } from 'zod';

/**
 * What a run will do to the outside world, frozen before the first effect. It holds everything that the effects are made of,
 * so whoever takes the run over makes the same commit, the same text, and asks the model nothing.
 */
export const publicationSchema = z.object({
  end: z.object({ outcome: z.enum(['completed', 'failed']), code: z.string(), sentence: z.string() }),
  /** What the agent says it did. */
  summary: z.string(),
  /** What it answers to single messages and threads. */
  replies: z.array(z.object({ message: z.string(), text: z.string() })).default([]),
  /** What did not work out although the run did, found when it was about to push. */
  warnings: z.array(z.string()).optional(),
  /** The limit that ended the work, if one did. */
  limit: z.string().nullable(),
  /** null: nothing changed, so there is nothing to push. */
  change: z
    .object({
      branch: z.string(),
      /** The tip of the branch that the push expects, and that the commit lies on; null: there is no such branch yet. */
      tip: z.string().nullable(),
      sha: z.string(),
      message: z.string(),
      author: z.object({ name: z.string(), email: z.string() }),
      date: z.coerce.date(),
      title: z.string(),
      description: z.string(),
      section: z.string(),
      /** Of a pull request that is opened now. */
      newBody: z.string(),
      draft: z.boolean(),
    })
    .nullable(),
});

export type Publication = z.infer<typeof publicationSchema>;
export type Change = NonNullable<Publication['change']>;
