import { LRUCache } from 'lru-cache';
import { findNearestName } from '../../../../find-nearest-name.ts';
import { askGitHub } from '../../../../projects/ask-github.ts';
import type { OpenProject } from '../../../../projects/open-project.ts';
import type { ProjectVisit } from '../../people/page-routes.ts';

const mostProjects = 500;
const keptMs = 60_000;
const ownBranches = 'pagewright/';

/** The branches of a repository, for people who choose a base branch. GitHub is asked once a minute and project at most. */
export function createBranches(openProject: OpenProject) {
  const known = new LRUCache<string, Promise<string[]>>({ max: mostProjects, ttl: keptMs });

  const ask = <T>(
    { project, signal }: ProjectVisit,
    read: (client: Awaited<ReturnType<OpenProject>>['client']) => Promise<T>,
  ) =>
    askGitHub(async () => {
      await using access = await openProject(project, { contents: 'read' }, signal);
      const found = await read(access.client);
      return found;
    });

  /** Empty while GitHub does not answer. Without the branches of jobs. */
  function list(visit: ProjectVisit): Promise<string[]> {
    const { project_id: projectId } = visit.project;
    const earlier = known.get(projectId);
    if (earlier) return earlier;
    const asked = ask(visit, (client) => client.listBranches()).then((answer) => {
      if (answer.kind === 'answered') return answer.result.filter((name) => !name.startsWith(ownBranches));
      known.delete(projectId);
      return [];
    });
    known.set(projectId, asked);
    return asked;
  }

  return {
    list,
    /** Why the branch cannot be a base; undefined: it exists. While GitHub does not answer, the run finds out. */
    async findProblem(visit: ProjectVisit, branch: string): Promise<string | undefined> {
      const asked = await ask(visit, (client) => client.findBranchTip(branch));
      if (asked.kind !== 'answered' || asked.result !== undefined) return undefined;
      const near = findNearestName(branch, await list(visit));
      const hint = near === undefined ? 'Create it on GitHub, or choose another.' : `Did you mean ${near}?`;
      return `The repository has no branch ${branch}. ${hint}`;
    },
  };
}
