/** Files with a repository's writing rules. Only the first that exists is used. */
export const instructionPaths = ['.pagewright/AGENTS.md', 'AGENTS.md'];

/**
 * Files with a repository's pull request template. Only the first that exists is used.
 * https://docs.github.com/en/communities/using-templates-to-encourage-useful-issues-and-pull-requests/creating-a-pull-request-template-for-your-repository
 */
export const pullRequestTemplatePaths = ['.github/', '', 'docs/'].flatMap((folder) => [
  `${folder}pull_request_template.md`,
  `${folder}PULL_REQUEST_TEMPLATE.md`,
]);
