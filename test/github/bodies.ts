/** GitHub's answers, with the fields that the service reads. */
export const pullRequestBody = (more: object = {}) => ({
  number: 7,
  node_id: 'PR_7',
  draft: false,
  html_url: 'https://github.com/acme/docs/pull/7',
  state: 'open',
  merged_at: null,
  title: 'Explain tokens',
  body: null,
  base: { ref: 'main' },
  head: { ref: 'pagewright/x', sha: '0123456789012345678901234567890123456789', repo: { id: 42 } },
  updated_at: '2026-11-20T12:00:00Z',
  ...more,
});

export const commentBody = (more: object = {}) => ({
  id: 1,
  html_url: 'https://github.com/acme/docs/pull/7#issuecomment-1',
  body: 'Done. <!-- pagewright:run_1 -->',
  user: { id: 1234, login: 'pagewright[bot]', type: 'Bot' },
  performed_via_github_app: { id: 5 },
  ...more,
});

export const reviewCommentBody = (more: object = {}) => ({
  id: 31,
  path: 'docs/tokens.md',
  line: 12,
  original_line: 10,
  start_line: null,
  original_start_line: null,
  diff_hunk: '@@ -1,2 +1,3 @@',
  body: 'Say how long it lives. <!-- pagewright:run_1 -->',
  html_url: 'https://github.com/acme/docs/pull/7#discussion_r31',
  user: { id: 77, login: 'ada', type: 'User' },
  ...more,
});

export const repositoryBody = (more: object = {}) => ({
  id: 42,
  name: 'docs',
  full_name: 'acme/docs',
  owner: { login: 'acme' },
  default_branch: 'main',
  archived: false,
  disabled: false,
  ...more,
});
