import { LRUCache } from 'lru-cache';
import type { Person } from '../../github/calls/people-calls.ts';
import type { Log } from '../../log.ts';
import type { OpenProject } from '../../projects/open-project.ts';
import type { Project } from '../../store/tables/projects.ts';

/** Whether a person may instruct the agent in a repository. Fails closed: throws if GitHub does not answer. */
export type MayPrompt = (project: Project, person: Person, signal: AbortSignal) => Promise<boolean>;

interface Question {
  project: Project;
  person: Person;
  signal: AbortSignal;
}

const cacheMs = 5 * 60_000;
const max = 10_000;

/**
 * Requires write, maintain or admin, directly or by a team or custom role. Caches answers for five minutes. Does not use the webhook's
 * `author_association`: private members, and everybody with one merged change, are "contributors" there.
 */
export function createMayPrompt({ openProject, log }: { openProject: OpenProject; log: Log }): MayPrompt {
  // Concurrent calls share one request: the comments of a review arrive all at once.
  const answers = new LRUCache<string, 'yes' | 'no', Question>({
    max,
    ttl: cacheMs,
    fetchMethod: (_key, _stale, { context }) => ask(context),
  });
  const logged = new LRUCache<string, true>({ max });

  return async (project, person, signal) => {
    const { login, userId } = person;
    const key = `${project.project_id} ${userId} ${login.toLowerCase()}`;
    const answer = await answers.fetch(key, { context: { project, person, signal } });
    if (answer === 'no' && !logged.has(key)) {
      logged.set(key, true);
      log.info({ projectId: project.project_id, login }, 'ignored a comment by somebody without write access');
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
