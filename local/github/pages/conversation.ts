import type { Account } from '../state/account.ts';
import type { PullRequest, Reaction, Review, ReviewComment } from '../state/world.ts';
import { type Html, html } from './html.ts';
import { renderMarkdown } from './render-markdown.ts';

const emoji: Record<string, string> = {
  '+1': '👍',
  '-1': '👎',
  laugh: '😄',
  confused: '😕',
  heart: '❤️',
  hooray: '🎉',
  rocket: '🚀',
  eyes: '👀',
};

const verdicts: Record<Review['state'], string> = {
  APPROVED: 'approved',
  CHANGES_REQUESTED: 'requested changes',
  COMMENTED: 'reviewed',
  DISMISSED: 'reviewed (dismissed)',
};

/** Comments, reviews and threads by time; replies stand in their thread. */
export function renderConversation({ comments, reviews, reviewComments }: PullRequest): Html {
  const entries = [
    ...comments.map((comment) => ({
      id: comment.id,
      html: renderSaid(comment.author, comment.createdAt, comment.body, { reactions: comment.reactions }),
    })),
    // An empty review only wraps its comments.
    ...reviews
      .filter(({ body, state }) => body !== '' || state !== 'COMMENTED')
      .map(({ id, author, submittedAt, body, state }) => ({
        id,
        html: renderSaid(author, submittedAt, body, { note: verdicts[state] }),
      })),
    ...Map.groupBy(reviewComments, ({ id, inReplyToId }) => inReplyToId ?? id)
      .values()
      .map((thread) => ({ id: thread[0]?.id ?? 0, html: renderThread(thread) })),
  ].sort((left, right) => left.id - right.id);
  if (entries.length === 0) return html`<p class="muted">No comments yet.</p>`;
  return html`${entries.map((entry) => entry.html)}`;
}

function renderThread(thread: ReviewComment[]): Html {
  const [root] = thread;
  if (!root) return html``;
  const where = root.line === null ? root.path : `${root.path}:${root.line}`;
  return html`<div class="box thread"><div class="head"><code>${where}</code></div>
${root.diffHunk !== '' && html`<pre>${root.diffHunk.split('\n').slice(-4).join('\n')}</pre>`}
<div class="text">${thread.map(({ author, createdAt, body, reactions }) => renderSaid(author, createdAt, body, { reactions }))}</div></div>`;
}

export const renderSaid = (
  author: Account,
  at: string,
  body: string,
  { note, reactions = [] }: { note?: string; reactions?: Reaction[] } = {},
): Html => html`
<div class="box"><div class="head"><strong>${author.login}</strong>${author.type === 'Bot' && html`<span class="label">bot</span>`}
<span class="muted">${note && `${note}, `}${at}</span></div><div class="text">${renderMarkdown(body)}
${reactions.length > 0 && html`<p>${reactions.map(({ content, author: by }) => html`<span class="label" title="${by.login}">${emoji[content] ?? content}</span>`)}</p>`}</div></div>`;
