import { z } from 'zod';

const comment = z.object({
  id: z.number(),
  user: z.object({ login: z.string() }),
  body: z.string(),
  reactions: z.object({ eyes: z.number() }),
});
const reviewComment = comment.extend({
  path: z.string(),
  line: z.number().nullable(),
  in_reply_to_id: z.number().optional(),
});

export interface Conversation {
  comments: z.infer<typeof comment>[];
  reviewComments: z.infer<typeof reviewComment>[];
}

/** Reads the comments of a public pull request, without Pagewright's markers. */
export async function readConversation({
  apiUrl,
  fullName,
  number,
  signal,
}: {
  apiUrl: string;
  fullName: string;
  number: number;
  signal: AbortSignal;
}): Promise<Conversation> {
  const read = async (path: string): Promise<unknown> => {
    const response = await fetch(`${apiUrl}/repos/${fullName}/${path}?per_page=100`, { signal });
    if (!response.ok) throw new Error(`could not read ${path} of ${fullName}: ${response.status}`);
    return response.json();
  };
  return {
    comments: z
      .array(comment)
      .parse(await read(`issues/${number}/comments`))
      .map(withoutMarker),
    reviewComments: z
      .array(reviewComment)
      .parse(await read(`pulls/${number}/comments`))
      .map(withoutMarker),
  };
}

const withoutMarker = <Comment extends { body: string }>(comment: Comment): Comment => ({
  ...comment,
  body: comment.body.replace(/\s*<!--.*?-->\s*$/s, ''),
});
