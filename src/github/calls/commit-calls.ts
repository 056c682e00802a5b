import { z } from 'zod';
import type { CallContext } from '../client/call-context.ts';
import { readIfFound, readList } from '../client/reads.ts';
import { parseRefusal } from '../refusals/read-refusal.ts';

/** `moved`: the branch is not at the expected commit, so nothing was written. */
export type SignedCommit = { kind: 'made'; sha: string } | { kind: 'moved' };

/** https://docs.github.com/en/graphql/reference/mutations#createcommitonbranch */
const createCommitOnBranch = `
  mutation ($input: CreateCommitOnBranchInput!) {
    createCommitOnBranch(input: $input) { commit { oid } }
  }`;

const commitSchema = z.object({ createCommitOnBranch: z.object({ commit: z.object({ oid: z.string() }) }) });
const branchSchema = z.object({ name: z.string() });
const refSchema = z.object({ object: z.object({ sha: z.string() }) });
const parentsSchema = z.object({ parents: z.array(z.object({ sha: z.string() })) });

const mostBranches = 300;

const maxFileBytes = 1024 * 1024;

type NoFile = { kind: 'missing' } | { kind: 'too_large' };
type FetchedFile = { kind: 'text'; text: string } | NoFile;
type FetchedBytes = { kind: 'bytes'; bytes: Buffer } | NoFile;

const fileSchema = z.object({ type: z.literal('file'), size: z.number(), encoding: z.string(), content: z.string() });

export function createCommitCalls({ connection, owner, repo, name }: CallContext) {
  const findBranchTip = (branch: string): Promise<string | undefined> =>
    readIfFound(connection, `read the tip of ${branch} in ${name}`, async ({ rest }) => {
      const { data } = await rest.git.getRef({ owner, repo, ref: `heads/${branch}` });
      return refSchema.parse(data).object.sha;
    });

  /** Reads a file of a commit, or of the default branch. `missing`: no regular file has that path. `too_large`: GitHub sends no content over 1 MB. */
  async function fetchBytes(path: string, ref?: string): Promise<FetchedBytes> {
    return connection.read<FetchedBytes>(
      `read ${path} in ${name}`,
      async ({ rest }) => {
        const file = fileSchema.safeParse(
          (await rest.repos.getContent({ owner, repo, path, ...(ref !== undefined && { ref }) })).data,
        );
        if (!file.success) return { kind: 'missing' };
        const { size, encoding, content } = file.data;
        if (size > maxFileBytes || encoding !== 'base64') return { kind: 'too_large' };
        return { kind: 'bytes', bytes: Buffer.from(content, 'base64') };
      },
      { 404: () => ({ kind: 'missing' }) },
    );
  }

  return {
    /** Whether the commit `sha` has `parent` as a parent. */
    isMergeOf: (sha: string, parent: string): Promise<boolean> =>
      connection.read(`read commit ${sha} of ${name}`, async ({ rest }) => {
        const { data } = await rest.git.getCommit({ owner, repo, commit_sha: sha });
        return parentsSchema.parse(data).parents.some((each) => each.sha === parent);
      }),

    findBranchTip,

    /** The names of the first branches, by the alphabet: https://docs.github.com/en/rest/branches/branches#list-branches */
    async listBranches(): Promise<string[]> {
      const list = { what: `list the branches of ${name}`, item: branchSchema, most: mostBranches };
      const branches = await readList(connection, list, ({ rest }, page) =>
        rest.repos.listBranches({ owner, repo, ...page }),
      );
      return branches.map((branch) => branch.name);
    },

    /** `exists`: the branch exists, at any commit. */
    async createBranch(branch: string, sha: string): Promise<'created' | 'exists'> {
      return connection.write<'created' | 'exists'>(
        `create branch ${branch} in ${name}`,
        async ({ rest }) => {
          refSchema.parse((await rest.git.createRef({ owner, repo, ref: `refs/heads/${branch}`, sha })).data);
          return 'created';
        },
        {
          // GitHub answers 422 to an existing branch, an unknown commit and a broken rule alike; only the text differs.
          422: async (_answer, error): Promise<'exists'> => {
            if ((await findBranchTip(branch)) === undefined) throw error;
            return 'exists';
          },
        },
      );
    },

    /** Commits on `expectedHead` and moves the existing branch: both or neither. GitHub signs. Every file gets mode 100644; a path may appear only once. */
    async createSignedCommit(options: {
      branch: string;
      expectedHead: string;
      headline: string;
      body: string;
      additions: { path: string; content: Uint8Array }[];
      deletions: string[];
    }): Promise<SignedCommit> {
      const { branch, expectedHead, headline, body, additions, deletions } = options;
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
            // A push may have landed between GitHub's check of the branch and its write.
            if (types.includes('UNPROCESSABLE') && (await findBranchTip(branch)) !== expectedHead)
              return { kind: 'moved' };
            throw error;
          },
        },
      );
    },

    fetchBytes,
    /** The same for a text. */
    async fetchFile(path: string, ref?: string): Promise<FetchedFile> {
      const fetched = await fetchBytes(path, ref);
      return fetched.kind === 'bytes' ? { kind: 'text', text: new TextDecoder().decode(fetched.bytes) } : fetched;
    },
  };
}
