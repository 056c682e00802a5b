import { LRUCache } from 'lru-cache';
import type { Log } from '../../log.ts';
import type { RoleQuestion, Roles } from '../../projects/roles.ts';

/** Throws if GitHub does not answer. */
type AskAboutPerson = (question: RoleQuestion) => Promise<boolean>;

export interface WriteAccess {
  /** Whether a person may instruct the agent, as of now. */
  mayPrompt: AskAboutPerson;
  /** Whether the model may see a person's text, and whether their stop counts. Also answers while GitHub's rate limit is reached. */
  isTrusted: AskAboutPerson;
}

/**
 * Requires write, maintain or admin, directly or by a team or custom role. Does not use the webhook's `author_association`: private members,
 * and everybody with one merged change, are "contributors" there.
 */
export function createWriteAccess({ roles, log }: { roles: Roles; log: Log }): WriteAccess {
  const logged = new LRUCache<string, true>({ max: 1_000 });

  const requireWrite =
    (find: Roles['find']): AskAboutPerson =>
    async (question) => {
      const mayWrite = (await find(question)) !== 'none';
      if (!mayWrite) logOnce(question);
      return mayWrite;
    };

  function logOnce({ project: { project_id: projectId }, person: { login, userId } }: RoleQuestion): void {
    const key = `${projectId} ${userId}`;
    if (logged.has(key)) return;
    logged.set(key, true);
    log.info({ projectId, login }, 'ignored a comment by somebody without write access');
  }

  return { mayPrompt: requireWrite(roles.confirm), isTrusted: requireWrite(roles.find) };
}
