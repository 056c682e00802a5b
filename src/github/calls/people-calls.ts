import { z } from 'zod';
import { type CallSite, writeOnNew } from '../client/call-context.ts';
import type { Author } from './comment-calls.ts';

/** What somebody may do in a repository. GitHub counts maintain as write, triage as read, and a custom role as what it builds on. */
export type RepositoryPermission = z.infer<typeof permissionSchema>['permission'];

const permissionSchema = z.object({
  permission: z.enum(['admin', 'write', 'read', 'none']),
  user: z.object({ id: z.number() }).nullable(),
});
const closedSchema = z.object({ closed_by: z.object({ login: z.string() }).nullish() });

/**
 * The permissions that `fetchCloser` and `isClosedByUs` need: only a pull request's issue says who closed it, and an issue is read with
 * nothing less. https://docs.github.com/en/rest/authentication/permissions-required-for-github-apps
 */
export const closerPermissions = { issues: 'read', pull_requests: 'read' } as const;

/** `userId` says who is meant: a login may pass to somebody else. */
export type Person = Pick<Author, 'login' | 'userId'>;

/** The calls of a repository client that are about people; its face says what they promise. */
export function createPeopleCalls(site: CallSite) {
  const { connection, owner, repo, fetchBotLogin } = site;
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
    /**
     * What a person may do, teams and organisation counted; `none` for whoever is no user, or no longer the one who has this login. Fails
     * closed: an answer that says anything else than one of the four throws. https://docs.github.com/en/rest/collaborators/collaborators#get-repository-permissions-for-a-user
     */
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

    /** The login of whoever closed or merged the pull request; null while it is open, or when GitHub does not say. */
    fetchCloser,

    /** Whether it was the App itself that closed the pull request, or merged it. */
    async isClosedByUs(number: number): Promise<boolean> {
      return (await fetchCloser(number)) === (await fetchBotLogin(connection.signal));
    },

    /**
     * Asks for reviews; whoever was asked already is not asked twice. One of them who is no collaborator, or wrote the pull request, is a
     * `GitHubRefusal` `refused`, and GitHub then asks none of them. Sent as a comment is; throws `AmbiguousWrite`.
     */
    async requestReviewers(number: number, { users, teams }: { users: string[]; teams: string[] }): Promise<void> {
      const wanted = { owner, repo, pull_number: number, reviewers: users, team_reviewers: teams };
      await writeOnNew(
        site,
        `request reviews of pull request ${number} of ${name}`,
        async ({ rest }) => void (await rest.pulls.requestReviewers(wanted)),
      );
    },
  };
}
