/** Where a repository keeps its writing rules, at its top: the first of these files that is there speaks alone. */
export const instructionPaths = ['.pagewright/AGENTS.md', 'AGENTS.md'];

/**
 * Where a repository keeps its template for pull requests: the first of these that is there.
 * https://docs.github.com/en/communities/using-templates-to-encourage-useful-issues-and-pull-requests/creating-a-pull-request-template-for-your-repository
 */
export const pullRequestTemplatePaths = ['.github/', '', 'docs/'].flatMap((folder) => [
  `${folder}pull_request_template.md`,
  `${folder}PULL_REQUEST_TEMPLATE.md`,
]);
