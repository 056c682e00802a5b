import { z } from 'zod';
import type { CallContext } from '../client/call-context.ts';
import { readIfFound } from '../client/reads.ts';

const author = z
  .object({ login: z.string(), type: z.string().default('User') })
  .nullish()
  // As GitHub shows a deleted account.
  .transform((user) => ({ login: user?.login ?? 'ghost', isBot: user?.type === 'Bot' }));

const issueSchema = z
  .object({ number: z.number(), title: z.string(), body: z.string().nullish(), html_url: z.string(), user: author })
  .transform(({ body, html_url: url, user, ...issue }) => ({ ...issue, body: body ?? '', url, author: user }));

const releaseSchema = z
  .object({
    id: z.number(),
    tag_name: z.string(),
    body: z.string().nullish(),
    draft: z.boolean(),
    html_url: z.string(),
    published_at: z.coerce.date().nullish(),
    author,
  })
  .transform(({ tag_name: tag, html_url: url, published_at: publishedAt, body, ...release }) => ({
    ...release,
    tag,
    url,
    body: body ?? '',
    publishedAt: publishedAt ?? null,
  }));

/** Issues and releases: what triggers automations beside pull requests. */
export function createIssueCalls({ connection, owner, repo, name }: CallContext) {
  return {
    fetchIssue: (number: number) =>
      readIfFound(connection, `read issue ${number} of ${name}`, async ({ rest }) =>
        issueSchema.parse((await rest.issues.get({ owner, repo, issue_number: number })).data),
      ),

    fetchRelease: (releaseId: number) =>
      readIfFound(connection, `read release ${releaseId} of ${name}`, async ({ rest }) =>
        releaseSchema.parse((await rest.repos.getRelease({ owner, repo, release_id: releaseId })).data),
      ),

    /** The newest first, at most `most`. */
    listReleases: ({ most }: { most: number }) =>
      connection.read(`list the releases of ${name}`, async ({ rest }) => {
        const { data } = await rest.repos.listReleases({ owner, repo, per_page: most });
        return z.array(releaseSchema).parse(data);
      }),
  };
}
