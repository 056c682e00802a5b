import { LRUCache } from 'lru-cache';
import type { Person } from '../../github/calls/people-calls.ts';
import type { Log } from '../../log.ts';
import type { OpenProject } from '../../projects/open-project.ts';
import type { Project } from '../../store/tables/projects.ts';

/**
 * Whether a person may tell the agent what to do in a repository. Throws when GitHub cannot be asked: nobody may then, and the caller tries
 * again later.
 */
export type MayPrompt = (project: Project, person: Person, signal: AbortSignal) => Promise<boolean>;

interface Question {
  project: Project;
  person: Person;
  signal: AbortSignal;
}

const keptMs = 5 * 60_000;
const max = 10_000;

/**
 * Asks GitHub for the person's own permission in this one repository; write, maintain and admin do, also by a team or a custom role. The
 * answer is kept for five minutes. `author_association` would be cheaper and is wrong: members that do not show their membership are
 * contributors to it, and so is everybody whose change was merged once.
 */
export function createMayPrompt({ openProject, log }: { openProject: OpenProject; log: Log }): MayPrompt {
  // Who asks while GitHub is being asked the same waits for that answer: the remarks of a review come all at once.
  const known = new LRUCache<string, 'yes' | 'no', Question>({
    max,
    ttl: keptMs,
    fetchMethod: (_key, _stale, { context }) => ask(context),
  });
  const told = new LRUCache<string, true>({ max });

  return async (project, person, signal) => {
    const { login, userId } = person;
    const key = `${project.project_id} ${userId} ${login.toLowerCase()}`;
    const answer = await known.fetch(key, { context: { project, person, signal } });
    if (answer === 'no' && !told.has(key)) {
      told.set(key, true);
      log.info({ projectId: project.project_id, login }, 'a comment by somebody without write access is passed over');
    }
    return answer === 'yes';
  };

  async function ask({ project, person, signal }: Question): Promise<'yes' | 'no'> {
    const permissions = { metadata: 'read' } as const;
    await using access = await openProject(project, permissions, signal);
    const permission = await access.client.fetchPermission(person);
    return permission === 'admin' || permission === 'write' ? 'yes' : 'no';
  }
}
