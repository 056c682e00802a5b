import { z } from 'zod';
import type { CallContext } from '../client/call-context.ts';
import { listAll } from '../client/list-all.ts';

export type RenderedPlace =
  | { kind: 'comment'; commentId: number }
  | { kind: 'issue'; number: number }
  | { kind: 'review'; number: number; reviewId: number };

const renderedSchema = z
  .object({ body_html: z.string().nullish() })
  .transform(({ body_html: rendered }) => rendered ?? '');

/** GitHub signs the addresses of images in its HTML: https://docs.github.com/en/rest/using-the-rest-api/getting-started-with-the-rest-api#media-types */
const headers = { accept: 'application/vnd.github.full+json' };

export function createRenderedCalls({ connection, owner, repo }: CallContext) {
  const name = `${owner}/${repo}`;

  return {
    /** GitHub's HTML of a comment, of the text of an issue, or of a review with its comments. Undefined: it is gone. */
    fetchRendered: (place: RenderedPlace): Promise<string | undefined> =>
      connection.read<string | undefined>(
        `read the HTML of a ${place.kind} of ${name}`,
        async ({ rest }) => {
          if (place.kind === 'comment') {
            const { data } = await rest.issues.getComment({ owner, repo, comment_id: place.commentId, headers });
            return renderedSchema.parse(data);
          }
          if (place.kind === 'issue') {
            const { data } = await rest.issues.get({ owner, repo, issue_number: place.number, headers });
            return renderedSchema.parse(data);
          }
          const target = { owner, repo, pull_number: place.number, review_id: place.reviewId, headers };
          const { data } = await rest.pulls.getReview(target);
          const comments = await listAll(async (page) => {
            const answer = await rest.pulls.listCommentsForReview({ ...target, ...page });
            return { items: z.array(renderedSchema).parse(answer.data), link: answer.headers.link };
          });
          return [renderedSchema.parse(data), ...comments].join('\n');
        },
        { 404: () => undefined, 410: () => undefined },
      ),
  };
}
