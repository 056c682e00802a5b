export interface Writer {
  login: string;
  id: number;
  type: 'User' | 'Bot';
  /** Through which App the words came, if through one. */
  viaApp?: boolean;
}

export interface MemoryComment {
  id: number;
  pullRequest: number;
  writer: Writer;
  body: string;
  createdAt: Date;
  /** Only of a remark on a file. */
  reviewId: number | null;
  inReplyTo: number | null;
}

export interface MemoryReview {
  id: number;
  pullRequest: number;
  writer: Writer;
  body: string;
  submittedAt: Date;
}

export const toSeconds = (moment: Date) => `${moment.toISOString().slice(0, 19)}Z`;
const app = { id: 77 };

export const presentComment = ({ id, writer, body, createdAt }: MemoryComment) => ({
  id,
  body,
  html_url: `http://github.test/acme/docs/comment/${id}`,
  user: writer,
  created_at: toSeconds(createdAt),
  updated_at: toSeconds(createdAt),
  performed_via_github_app: writer.viaApp ? app : null,
});

export const presentRemark = (remark: MemoryComment) => ({
  ...presentComment(remark),
  pull_request_review_id: remark.reviewId,
  ...(remark.inReplyTo !== null && { in_reply_to_id: remark.inReplyTo }),
  path: 'limits.md',
  line: 3,
  diff_hunk: '@@ -1,3 +1,3 @@\n # Limits\n \n-60\n+100',
});

export const presentReview = ({ id, writer, body, submittedAt }: MemoryReview) => ({
  id,
  html_url: `http://github.test/acme/docs/review/${id}`,
  state: 'commented',
  body,
  user: writer,
  submitted_at: toSeconds(submittedAt),
});
