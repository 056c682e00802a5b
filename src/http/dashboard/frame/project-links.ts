/** The addresses of a project's pages. */
export const linkTo = (projectId: string) => {
  const jobs = `/projects/${projectId}`;
  return {
    jobs,
    events: `${jobs}/events`,
    search: `${jobs}/search`,
    branches: `${jobs}/branches`,
    newJob: `${jobs}/jobs/new`,
    job: (jobId: string) => `${jobs}/jobs/${jobId}`,
    images: (jobId: string, sha: string) => `${jobs}/jobs/${jobId}/images/${sha}`,
    automations: `${jobs}/automations`,
    keys: `${jobs}/keys`,
    webhooks: `${jobs}/webhooks`,
    usage: `${jobs}/usage`,
    settings: `${jobs}/settings`,
  };
};

export const nameProject = ({ owner, repo }: { owner: string; repo: string }): string => `${owner}/${repo}`;
