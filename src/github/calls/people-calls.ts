import { z } from 'zod';
import { type CallContext, writeOnNew } from '../client/call-context.ts';

/** GitHub counts maintain as write, triage as read, and a custom role as its base role. Some versions of its Enterprise Server omit the permissions. */
const roleSchema = z.object({
  permission: z.enum(['admin', 'write', 'read', 'none']),
  role_name: z.string().nullish(),
  user: z
    .object({
      id: z.number(),
      permissions: z.object({ maintain: z.boolean().nullish() }).nullish(),
    })
    .nullable(),
});

/** `maintain` includes admin, and custom roles that build on one of them. `none` includes everybody who may only read. */
export type RepositoryRole = 'maintain' | 'write' | 'none';

function toRole({ permission, role_name: roleName, user }: z.infer<typeof roleSchema>): RepositoryRole {
  if (permission === 'admin') return 'maintain';
  if (permission !== 'write') return 'none';
  const isMaintainer = user?.permissions ? user.permissions.maintain === true : roleName === 'maintain';
  return isMaintainer ? 'maintain' : 'write';
}

const closedSchema = z.object({
  state: z.enum(['open', 'closed']),
  closed_by: z.object({ login: z.string() }).nullish(),
});

/** Only a pull request's issue says who closed it: https://docs.github.com/en/rest/authentication/permissions-required-for-github-apps */
export const closerPermissions = { issues: 'read', pull_requests: 'read' } as const;

type Closer = 'nobody' | 'us' | 'other';

/** `userId` identifies the person: a login may pass to someone else. */
export interface Person {
  login: string;
  userId: number;
}

export function createPeopleCalls(context: CallContext) {
  const { connection, owner, repo, name, fetchBotLogin } = context;

  return {
    /** `none` when another account has the login. Fails closed: an unknown permission throws.
     * https://docs.github.com/en/rest/collaborators/collaborators#get-repository-permissions-for-a-user */
    async fetchRole({ login, userId }: Person): Promise<RepositoryRole> {
      return connection.read<RepositoryRole>(
        `read what ${login} may do in ${name}`,
        async ({ rest }) => {
          const { data } = await rest.repos.getCollaboratorPermissionLevel({ owner, repo, username: login });
          const answer = roleSchema.parse(data);
          return answer.user?.id === userId ? toRole(answer) : 'none';
        },
        { 404: () => 'none' },
      );
    },

    /** Who closed or merged the pull request. `nobody`: it is open, perhaps since a moment ago. `other` also when GitHub does not say. */
    async fetchCloser(number: number): Promise<Closer> {
      return connection.read<Closer>(
        `read who closed pull request ${number} of ${name}`,
        async ({ rest }) => {
          const { data } = await rest.issues.get({ owner, repo, issue_number: number });
          const { state, closed_by: closer } = closedSchema.parse(data);
          if (state === 'open') return 'nobody';
          return closer?.login === (await fetchBotLogin(connection.signal)) ? 'us' : 'other';
        },
        { 404: () => 'other' },
      );
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
