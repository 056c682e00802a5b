import { z } from 'zod';
import type { CallContext } from '../client/call-context.ts';

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

type Issue = z.output<typeof issueSchema>;
type Release = z.output<typeof releaseSchema>;

/** Issues and releases: what triggers automations beside pull requests. */
export function createIssueCalls({ connection, owner, repo }: CallContext) {
  const name = `${owner}/${repo}`;

  return {
    async fetchIssue(number: number): Promise<Issue | undefined> {
      return connection.read<Issue | undefined>(
        `read issue ${number} of ${name}`,
        async ({ rest }) => issueSchema.parse((await rest.issues.get({ owner, repo, issue_number: number })).data),
        { 404: () => undefined, 410: () => undefined },
      );
    },

    async fetchRelease(releaseId: number): Promise<Release | undefined> {
      return connection.read<Release | undefined>(
        `read release ${releaseId} of ${name}`,
        async ({ rest }) =>
          releaseSchema.parse((await rest.repos.getRelease({ owner, repo, release_id: releaseId })).data),
        { 404: () => undefined },
      );
    },

    /** The newest first, at most `most`. */
    async listReleases({ most }: { most: number }): Promise<Release[]> {
      return connection.read(`list the releases of ${name}`, async ({ rest }) => {
        const { data } = await rest.repos.listReleases({ owner, repo, per_page: most });
        return z.array(releaseSchema).parse(data);
      });
    },
  };
}
