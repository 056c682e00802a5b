import { LRUCache } from 'lru-cache';
import type { Person } from '../../github/calls/people-calls.ts';
import type { Log } from '../../log.ts';
import type { OpenProject } from '../../projects/open-project.ts';
import type { Project } from '../../store/tables/repositories/projects.ts';

/** About a person in a repository. Fails closed: throws if GitHub does not answer. */
type AskAboutPerson = (project: Project, person: Person, signal: AbortSignal) => Promise<boolean>;

export interface WriteAccess {
  /** Whether a person may instruct the agent. Asks GitHub each time; only a no is cached, for a minute. */
  mayPrompt: AskAboutPerson;
  /** Whether the model may see what a person wrote, and a stop of theirs counts, also while GitHub's limit is reached. Cached for five minutes. */
  isTrusted: AskAboutPerson;
}

interface Question {
  project: Project;
  person: Person;
  signal: AbortSignal;
}

const keptMs = 5 * 60_000;
/** Strangers must not be able to cause a request per comment. */
const refusalKeptMs = 60_000;
const max = 10_000;

/**
 * Requires write, maintain or admin, directly or by a team or custom role. Does not use the webhook's `author_association`: private members,
 * and everybody with one merged change, are "contributors" there.
 */
export function createWriteAccess({ openProject, log }: { openProject: OpenProject; log: Log }): WriteAccess {
  // Concurrent calls share one request: the comments of a review arrive all at once.
  const answers = new LRUCache<string, 'yes' | 'no', Question>({
    max,
    ttl: keptMs,
    async fetchMethod(_key, _stale, { context, options }) {
      const answer = await ask(context);
      if (answer === 'no') options.ttl = refusalKeptMs;
      return answer;
    },
  });
  const logged = new LRUCache<string, true>({ max });

  async function find({ project, person, signal }: Question, mayReuse: (answer?: string) => boolean) {
    const { login, userId } = person;
    const key = `${project.project_id} ${userId} ${login.toLowerCase()}`;
    const forceRefresh = !mayReuse(answers.get(key));
    const answer = await answers.fetch(key, { forceRefresh, context: { project, person, signal } });
    if (answer === 'no' && !logged.has(key)) {
      logged.set(key, true);
      log.info({ projectId: project.project_id, login }, 'ignored a comment by somebody without write access');
    }
    return answer === 'yes';
  }

  return {
    mayPrompt: (project, person, signal) => find({ project, person, signal }, (answer) => answer === 'no'),
    isTrusted: (project, person, signal) => find({ project, person, signal }, (answer) => answer !== undefined),
  };

  async function ask({ project, person, signal }: Question): Promise<'yes' | 'no'> {
    const permissions = { metadata: 'read' } as const;
    await using access = await openProject(project, permissions, signal);
    const permission = await access.client.fetchPermission(person);
    return permission === 'admin' || permission === 'write' ? 'yes' : 'no';
  }
}
