import type { EventHandler } from '../event-handler.ts';
import { commentCreated } from './comment.ts';
import { installationChanged, installationDeleted, repositoryChanged } from './installation.ts';
import { pullRequestChanged } from './pull-request.ts';
import { pushed } from './push.ts';
import { repositoryDeleted } from './repository-deleted.ts';
import { repositoryEdited } from './repository-edited.ts';
import { reviewSubmitted } from './review.ts';
import { reviewCommentCreated } from './review-comment.ts';

/** Every event that means something to us. Any other is stored and marked as ignored. */
export const handlers: Record<string, EventHandler> = {
  'installation.created': installationChanged,
  'installation.unsuspend': installationChanged,
  'installation.new_permissions_accepted': installationChanged,
  'installation.suspend': installationChanged,
  'installation.deleted': installationDeleted,
  'installation_repositories.added': installationChanged,
  'installation_repositories.removed': installationChanged,
  'repository.renamed': repositoryChanged,
  'repository.transferred': repositoryChanged,
  'repository.edited': repositoryEdited,
  'repository.deleted': repositoryDeleted,
  'pull_request.closed': pullRequestChanged,
  'pull_request.reopened': pullRequestChanged,
  'pull_request.edited': pullRequestChanged,
  'issue_comment.created': commentCreated,
  'pull_request_review.submitted': reviewSubmitted,
  'pull_request_review_comment.created': reviewCommentCreated,
  push: pushed,
};
