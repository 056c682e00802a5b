import { z } from 'zod';
import type { CallContext } from '../client/call-context.ts';
import { listPages, readIfFound } from '../client/reads.ts';

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
      readIfFound(connection, `read the HTML of a ${place.kind} of ${name}`, async ({ rest }) => {
        const of = { owner, repo, headers };
        if (place.kind === 'comment') {
          const { data } = await rest.issues.getComment({ ...of, comment_id: place.commentId });
          return renderedSchema.parse(data);
        }
        if (place.kind === 'issue') {
          const { data } = await rest.issues.get({ ...of, issue_number: place.number });
          return renderedSchema.parse(data);
        }
        const review = { ...of, pull_number: place.number, review_id: place.reviewId };
        const { data } = await rest.pulls.getReview(review);
        const comments = await listPages(renderedSchema, (page) =>
          rest.pulls.listCommentsForReview({ ...review, ...page }),
        );
        return [renderedSchema.parse(data), ...comments].join('\n');
      }),
  };
}
