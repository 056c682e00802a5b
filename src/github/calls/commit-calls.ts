import { z } from 'zod';
import type { CallSite } from '../client/call-context.ts';
import { parseRefusal } from '../refusals/read-refusal.ts';

/** `moved`: the branch is not at the commit that was expected, so nothing was written. */
export type SignedCommit = { kind: 'made'; sha: string } | { kind: 'moved' };

/** https://docs.github.com/en/graphql/reference/mutations#createcommitonbranch */
const createCommitOnBranch = `
  mutation ($input: CreateCommitOnBranchInput!) {
    createCommitOnBranch(input: $input) { commit { oid } }
  }`;

const commitSchema = z.object({ createCommitOnBranch: z.object({ commit: z.object({ oid: z.string() }) }) });
const refSchema = z.object({ object: z.object({ sha: z.string() }) });

/** The calls of a repository client that write commits; its face says what they promise. */
export function createCommitCalls({ connection, owner, repo }: CallSite) {
  const name = `${owner}/${repo}`;

  async function findTip(branch: string): Promise<string | undefined> {
    return connection.read<string | undefined>(
      `read the tip of ${branch} in ${name}`,
      async ({ rest }) =>
        refSchema.parse((await rest.git.getRef({ owner, repo, ref: `heads/${branch}` })).data).object.sha,
      { 404: () => undefined },
    );
  }

  return {
    /** `exists`: a branch of that name is there, at whatever commit. Sent once; throws `AmbiguousWrite`. */
    async createBranch(branch: string, sha: string): Promise<'created' | 'exists'> {
      return connection.write<'created' | 'exists'>(
        `create branch ${branch} in ${name}`,
        async ({ rest }) => {
          refSchema.parse((await rest.git.createRef({ owner, repo, ref: `refs/heads/${branch}`, sha })).data);
          return 'created';
        },
        {
          // GitHub refuses a name that is taken, a commit it does not know and a broken rule with the same status: only the text differs.
          422: async (_answer, error): Promise<'exists'> => {
            if ((await findTip(branch)) === undefined) throw error;
            return 'exists';
          },
        },
      );
    },

    /**
     * One commit on top of `expectedHead`, made and signed by GitHub in the App's name, and the branch moved to it: both or neither. The branch
     * has to exist. Every file gets mode 100644, whatever it had. A path may be in `additions` or `deletions` once. Sent once; throws
     * `AmbiguousWrite`.
     */
    async createSignedCommit(given: {
      branch: string;
      expectedHead: string;
      headline: string;
      body: string;
      additions: { path: string; content: Uint8Array }[];
      deletions: string[];
    }): Promise<SignedCommit> {
      const { branch, expectedHead, headline, body, additions, deletions } = given;
      const input = {
        branch: { repositoryNameWithOwner: name, branchName: branch },
        expectedHeadOid: expectedHead,
        message: { headline, body },
        fileChanges: {
          additions: additions.map(({ path, content }) => ({
            path,
            contents: Buffer.from(content).toString('base64'),
          })),
          deletions: deletions.map((path) => ({ path })),
        },
      };
      return connection.write<SignedCommit>(
        `commit to ${branch} in ${name}`,
        async ({ graphql }) => {
          const data = await graphql(createCommitOnBranch, { input });
          return { kind: 'made', sha: commitSchema.parse(data).createCommitOnBranch.commit.oid };
        },
        {
          200: async (answer, error) => {
            const types = parseRefusal(answer.data).errors.map(({ type }) => type);
            if (types.includes('STALE_DATA')) return { kind: 'moved' };
            // Somebody may have pushed between GitHub's look at the branch and its write.
            if (types.includes('UNPROCESSABLE') && (await findTip(branch)) !== expectedHead) return { kind: 'moved' };
            throw error;
          },
        },
      );
    },
  };
}
