import { z } from 'zod';
import { presentReaction } from '../json/present-comment.ts';
import { findComment } from '../pulls/comments.ts';
import { findConversation } from '../pulls/find-pull-request.ts';
import { findReviewComment } from '../pulls/review-comments.ts';
import type { Reaction } from '../state/world.ts';
import { numberParam, ok, onRepository, parseBody, type RepositoryCall, type Route } from './route.ts';

const reactionBody = z.object({
  content: z.enum(['+1', '-1', 'laugh', 'confused', 'heart', 'hooray', 'rocket', 'eyes']),
});

/** What a reaction is on; `issues` also opens the conversation comments of pull requests. */
const targets: { path: string; permission: string; find(call: RepositoryCall): Reaction[] }[] = [
  {
    path: '/issues/comments/:comment_id/reactions',
    permission: 'issues',
    find: (call) => findComment(call.repository, numberParam(call, 'comment_id')).comment.reactions,
  },
  {
    path: '/issues/:number/reactions',
    permission: 'issues',
    find: (call) => findConversation(call.repository, numberParam(call, 'number')).reactions,
  },
  {
    path: '/pulls/comments/:comment_id/reactions',
    permission: 'pull_requests',
    find: (call) => findReviewComment(call.repository, numberParam(call, 'comment_id')).comment.reactions,
  },
];

/** 201 for a new reaction, 200 for an existing one: https://docs.github.com/en/rest/reactions/reactions */
export const reactionRoutes: Route[] = targets.map(({ path, permission, find }) =>
  onRepository.post(path, [{ [permission]: 'write' }], (call) => {
    const { world, bot } = call;
    const reactions = find(call);
    const { content } = parseBody(reactionBody, call.body);
    const existing = reactions.find((reaction) => reaction.content === content && reaction.author.id === bot.id);
    if (existing) return ok(presentReaction(world, existing));
    const reaction: Reaction = { id: world.nextId(), content, author: bot, createdAt: world.timestamp() };
    reactions.push(reaction);
    return ok(presentReaction(world, reaction), 201);
  }),
);
