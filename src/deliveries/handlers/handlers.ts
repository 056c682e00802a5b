import type { EventHandler } from '../delivery-context.ts';
import { commentCreated } from './comment.ts';
import { issueLabeled, pullRequestClosed, releasePublished } from './happening.ts';
import { installationChanged, installationDeleted } from './installation.ts';
import { pullRequestChanged } from './pull-request.ts';
import { pushed, repositoryDeleted, repositoryEdited } from './repository.ts';
import { reviewSubmitted } from './review.ts';
import { reviewCommentCreated } from './review-comment.ts';

export const handlers: Record<string, EventHandler> = {
  'installation.created': installationChanged,
  'installation.unsuspend': installationChanged,
  'installation.new_permissions_accepted': installationChanged,
  'installation.suspend': installationChanged,
  'installation.deleted': installationDeleted,
  'installation_repositories.added': installationChanged,
  'installation_repositories.removed': installationChanged,
  'repository.renamed': installationChanged,
  'repository.transferred': installationChanged,
  'repository.edited': repositoryEdited,
  'repository.deleted': repositoryDeleted,
  'pull_request.closed': pullRequestClosed,
  'pull_request.reopened': pullRequestChanged,
  'pull_request.edited': pullRequestChanged,
  'issue_comment.created': commentCreated,
  'pull_request_review.submitted': reviewSubmitted,
  'pull_request_review_comment.created': reviewCommentCreated,
  push: pushed,
  'release.created': releasePublished,
  'release.published': releasePublished,
  'release.released': releasePublished,
  'issues.labeled': issueLabeled,
};
