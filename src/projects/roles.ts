import { LRUCache } from 'lru-cache';
import type { Person, RepositoryRole } from '../github/calls/people-calls.ts';
import type { Project } from '../store/tables/repositories/projects.ts';
import { realTiming } from '../timing.ts';
import type { OpenProject } from './open-project.ts';

/** What people may do in a repository, as GitHub says. Fails closed: throws if GitHub does not answer. */
export interface Roles {
  /** Remembered for five minutes, a `none` for one. */
  find(question: Question): Promise<RepositoryRole>;
  /** Asks GitHub each time: before something is changed. */
  ask(question: Question): Promise<RepositoryRole>;
}

interface Question {
  project: Project;
  person: Person;
  signal: AbortSignal;
}

export function createRoles({ openProject }: { openProject: OpenProject }): Roles {
  const answers = new LRUCache<string, RepositoryRole, Question>({
    max: 100_000,
    // A page may ask about the same repository twice.
    async fetchMethod(_key, _stale, { context, options }) {
      const role = await ask(context);
      options.ttl = keepMs(role);
      return role;
    },
  });

  async function ask({ project, person, signal }: Question): Promise<RepositoryRole> {
    await using access = await openProject(project, { metadata: 'read' }, signal);
    return access.client.fetchRole(person);
  }

  return {
    find: async (question) => (await answers.fetch(toKey(question), { context: question })) ?? 'none',
    // Never joins a request that was sent earlier.
    async ask(question) {
      const role = await ask(question);
      answers.set(toKey(question), role, { ttl: keepMs(role) });
      return role;
    },
  };
}

const keepMs = (role: RepositoryRole): number =>
  role === 'none' ? realTiming.sessions.noRoleMs : realTiming.sessions.roleMs;

const toKey = ({ project, person }: Question): string =>
  `${project.project_id} ${person.userId} ${person.login.toLowerCase()}`;
