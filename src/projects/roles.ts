import { LRUCache } from 'lru-cache';
import type { Person, RepositoryRole } from '../github/calls/people-calls.ts';
import type { Project } from '../store/tables/repositories/projects.ts';
import { realTiming } from '../timing.ts';
import { untilAborted } from '../until-aborted.ts';
import type { OpenProject } from './open-project.ts';

/** For streams: with a heartbeat and the patience below, one ends 24 s after access ended. */
const watchedRoleMs = 4_000;

const noRoleMs = 60_000;

/** How long a person's permission is cached for pages that only show. */
const roleMs = 5 * 60_000;

export type Roles = ReturnType<typeof createRoles>;

export interface RoleQuestion {
  project: Project;
  person: Person;
  signal: AbortSignal;
}

/** The roles of people in a repository, from GitHub. Fails closed: throws if GitHub does not answer. */
export function createRoles({ openProject }: { openProject: OpenProject }) {
  const answers = new LRUCache<string, RepositoryRole, RoleQuestion>({
    // With `max`, the cache takes the memory of all its entries at once.
    maxSize: 100_000,
    sizeCalculation: () => 1,
    // An answer of `ask` that arrives meanwhile ends no request of others.
    ignoreFetchAbort: true,
    // While GitHub is down, what was known still counts for `find`.
    noDeleteOnFetchRejection: true,
    // A page may ask about the same repository twice. No caller who leaves ends the request of others.
    async fetchMethod(_key, _stale, { context, options }) {
      const role = await ask({ ...context, signal: AbortSignal.timeout(realTiming.sessions.askGitHubMs) });
      options.ttl = keepMs(role);
      return role;
    },
  });

  async function ask({ project, person, signal }: RoleQuestion): Promise<RepositoryRole> {
    await using access = await openProject(project, { metadata: 'read' }, signal);
    return await access.client.fetchRole(person);
  }

  const watched = new LRUCache<string, Promise<RepositoryRole>>({
    max: 10_000,
    ttl: watchedRoleMs,
  });

  /** Shares the request of another caller, but waits no longer than its own caller does. */
  const share = async (question: RoleQuestion, { forceRefresh = false } = {}) =>
    (await untilAborted(answers.fetch(toKey(question), { forceRefresh, context: question }), question.signal, 0)) ??
    'none';

  const find = (question: RoleQuestion) => share(question);

  async function askAnew(question: RoleQuestion): Promise<RepositoryRole> {
    const role = await ask(question);
    answers.set(toKey(question), role, { ttl: keepMs(role) });
    return role;
  }

  return {
    /** Cached for five minutes, a `none` for one. */
    find,
    /** Asks GitHub each time: for use before a change. Never joins a request that was sent earlier. */
    ask: askAnew,
    /**
     * As `ask`, for people who need not be signed in: a `none` is cached for a minute, so that strangers cannot cause a request per comment, and
     * concurrent calls share a request, as the comments of a review arrive all at once.
     */
    confirm: (question: RoleQuestion): Promise<RepositoryRole> =>
      share(question, { forceRefresh: answers.get(toKey(question)) !== 'none' }),
    /** Like `ask`, but shares answers for some seconds among the streams of one person. Falls back to `find` while GitHub is down. */
    async watch(question: RoleQuestion): Promise<RepositoryRole> {
      const asked = watched.get(toKey(question)) ?? askAnew(question);
      watched.set(toKey(question), asked, { noUpdateTTL: true });
      return asked.catch(() => find(question));
    },
  };
}

const keepMs = (role: RepositoryRole): number => (role === 'none' ? noRoleMs : roleMs);

const toKey = ({ project, person }: RoleQuestion): string =>
  `${project.project_id} ${person.userId} ${person.login.toLowerCase()}`;
