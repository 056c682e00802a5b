/** Writing rules; the first that exists is used. */
export const instructionPaths = ['.pagewright/AGENTS.md', 'AGENTS.md'];

/** The first that exists is used. */
export const pullRequestTemplatePaths = ['.github/', '', 'docs/'].flatMap((folder) => [
  `${folder}pull_request_template.md`,
  `${folder}PULL_REQUEST_TEMPLATE.md`,
]);
