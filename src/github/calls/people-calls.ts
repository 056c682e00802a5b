import { z } from 'zod';
import { type CallContext, writeOnNew } from '../client/call-context.ts';
import type { Author } from './comment-calls.ts';

/** What somebody may do in a repository. GitHub counts maintain as write, triage as read, and a custom role as what it builds on. */
export type RepositoryPermission = z.infer<typeof permissionSchema>['permission'];

const permissionSchema = z.object({
  permission: z.enum(['admin', 'write', 'read', 'none']),
  user: z.object({ id: z.number() }).nullable(),
});
const closedSchema = z.object({ closed_by: z.object({ login: z.string() }).nullish() });

/** Only a pull request's issue says who closed it: https://docs.github.com/en/rest/authentication/permissions-required-for-github-apps */
export const closerPermissions = { issues: 'read', pull_requests: 'read' } as const;

/** `userId` identifies the person: a login may pass to someone else. */
export type Person = Pick<Author, 'login' | 'userId'>;

export function createPeopleCalls(context: CallContext) {
  const { connection, owner, repo, fetchBotLogin } = context;
  const name = `${owner}/${repo}`;

  async function fetchCloser(number: number): Promise<string | null> {
    return connection.read<string | null>(
      `read who closed pull request ${number} of ${name}`,
      async ({ rest }) => {
        const { data } = await rest.issues.get({ owner, repo, issue_number: number });
        return closedSchema.parse(data).closed_by?.login ?? null;
      },
      { 404: () => null },
    );
  }

  return {
    /** `none` when another account has the login. Fails closed: an unknown permission throws.
     * https://docs.github.com/en/rest/collaborators/collaborators#get-repository-permissions-for-a-user */
    async fetchPermission({ login, userId }: Person): Promise<RepositoryPermission> {
      return connection.read<RepositoryPermission>(
        `read what ${login} may do in ${name}`,
        async ({ rest }) => {
          const { data } = await rest.repos.getCollaboratorPermissionLevel({ owner, repo, username: login });
          const { permission, user } = permissionSchema.parse(data);
          return user?.id === userId ? permission : 'none';
        },
        { 404: () => 'none' },
      );
    },

    /** The login that closed or merged the pull request; null while it is open, or when GitHub does not say. */
    fetchCloser,

    async isClosedByUs(number: number): Promise<boolean> {
      return (await fetchCloser(number)) === (await fetchBotLogin(connection.signal));
    },

    /** Idempotent. If one of them cannot review, GitHub requests none: `GitHubRefusal` `refused`. */
    async requestReviewers(number: number, { users, teams }: { users: string[]; teams: string[] }): Promise<void> {
      const reviewers = { owner, repo, pull_number: number, reviewers: users, team_reviewers: teams };
      await writeOnNew(
        context,
        `request reviews of pull request ${number} of ${name}`,
        async ({ rest }) => void (await rest.pulls.requestReviewers(reviewers)),
      );
    },
  };
}
