import { z } from 'zod';
import { presentAccount } from '../json/present.ts';
import { presentComment } from '../json/present-comment.ts';
import { presentConversation } from '../json/present-pull-request.ts';
import { createComment, deleteComment, findComment } from '../pulls/comments.ts';
import { findConversation } from '../pulls/find-pull-request.ts';
import type { Needed } from '../state/permissions.ts';
import { paginate } from './paginate.ts';
import { numberParam, ok, onRepository, parseBody, type RepositoryCall, type Route } from './route.ts';

const commentBody = z.object({ body: z.string() });

/** Not of the issue itself, although it is a pull request: https://docs.github.com/en/rest/authentication/permissions-required-for-github-apps */
const read: Needed = [{ issues: 'read' }, { pull_requests: 'read' }];
const write: Needed = [{ issues: 'write' }, { pull_requests: 'write' }];

const commentOf = (call: RepositoryCall) => findComment(call.repository, numberParam(call, 'comment_id'));

/** https://docs.github.com/en/rest/issues/comments */
export const commentRoutes: Route[] = [
  onRepository.get('/issues/:number', [{ issues: 'read' }], (call) => {
    const { world, repository } = call;
    const conversation = findConversation(repository, numberParam(call, 'number'));
    const { closedBy } = conversation;
    // Only of the issue itself: neither events nor lists show who closed it.
    return ok({
      ...presentConversation(conversation),
      closed_by: closedBy && presentAccount(world, closedBy),
    });
  }),
  onRepository.get('/issues/:number/comments', read, (call) => {
    const conversation = findConversation(call.repository, numberParam(call, 'number'));
    const since = Date.parse(call.query.since ?? '') || 0;
    const found = conversation.comments.filter(({ updatedAt }) => Date.parse(updatedAt) >= since);
    return paginate(call, found, (page) => page.map((comment) => presentComment(conversation, comment)));
  }),
  onRepository.post('/issues/:number/comments', write, (call) => {
    const { repository, bot } = call;
    const conversation = findConversation(repository, numberParam(call, 'number'));
    const { body } = parseBody(commentBody, call.body);
    const comment = createComment(conversation, { body, author: bot });
    const shown = presentComment(conversation, comment);
    return { status: 201, body: shown, headers: { location: shown.url } };
  }),
  onRepository.get('/issues/comments/:comment_id', read, (call) => {
    const { conversation, comment } = commentOf(call);
    return ok(presentComment(conversation, comment));
  }),
  onRepository.delete('/issues/comments/:comment_id', write, (call) => {
    deleteComment(commentOf(call), call.bot);
    return { status: 204 };
  }),
];
