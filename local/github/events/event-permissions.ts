/**
 * The permission that an event requires: https://docs.github.com/en/webhooks/webhook-events-and-payloads. An App can subscribe
 * only to these; every App receives the events of `unaskedEvents`.
 */
export const permissionOfEvent: Record<string, string> = {
  check_run: 'checks',
  check_suite: 'checks',
  commit_comment: 'contents',
  create: 'contents',
  delete: 'contents',
  deployment: 'deployments',
  deployment_status: 'deployments',
  discussion: 'discussions',
  discussion_comment: 'discussions',
  fork: 'contents',
  gollum: 'contents',
  issue_comment: 'issues',
  issues: 'issues',
  label: 'metadata',
  member: 'members',
  membership: 'members',
  milestone: 'pull_requests',
  organization: 'members',
  public: 'metadata',
  pull_request: 'pull_requests',
  pull_request_review: 'pull_requests',
  pull_request_review_comment: 'pull_requests',
  pull_request_review_thread: 'pull_requests',
  push: 'contents',
  release: 'contents',
  repository: 'metadata',
  repository_dispatch: 'contents',
  star: 'metadata',
  status: 'statuses',
  team: 'members',
  watch: 'metadata',
  workflow_job: 'actions',
  workflow_run: 'actions',
};

export const unaskedEvents = [
  'installation',
  'installation_repositories',
  'installation_target',
  'github_app_authorization',
];
