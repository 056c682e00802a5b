import { askGitHub } from '../../../../projects/ask-github.ts';
import type { OpenProject } from '../../../../projects/open-project.ts';
import type { ProjectVisit } from '../../people/page-routes.ts';

/** Whether GitHub says that the branch does not exist. While it does not answer, the run finds out. */
export async function isMissingBranch(
  openProject: OpenProject,
  { visit: { project, signal }, branch }: { visit: ProjectVisit; branch: string },
): Promise<boolean> {
  const asked = await askGitHub(async () => {
    await using access = await openProject(project, { contents: 'read' }, signal);
    const tip = await access.client.findBranchTip(branch);
    return tip;
  });
  return asked.kind === 'answered' && asked.result === undefined;
}
