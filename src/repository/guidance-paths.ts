/** Of each list, the first file that exists is used. */
export const instructionPaths = ['.pagewright/AGENTS.md', 'AGENTS.md'];

export const pullRequestTemplatePaths = ['.github/', '', 'docs/'].flatMap((folder) => [
  `${folder}pull_request_template.md`,
  `${folder}PULL_REQUEST_TEMPLATE.md`,
]);
