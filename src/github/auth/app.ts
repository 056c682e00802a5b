import { LRUCache } from 'lru-cache';
import { z } from 'zod';
import { createDeliveryCalls } from '../calls/delivery-calls.ts';
import { fetchInstallation, type Installation, installationSchema } from '../calls/installation.ts';
import { type Repository, repositorySchema } from '../calls/repository.ts';
import { createRepositoryClient, type RepositoryAccess, type RepositoryClient } from '../calls/repository-client.ts';
import { createConnection } from '../client/connection.ts';
import { listAll } from '../client/list-all.ts';
import type { Transport } from '../client/transport.ts';
import type { Limit } from '../limits/rate-limit.ts';
import { type InstallationToken, type MintRequest, mintToken, tokenLifeMs } from './mint-token.ts';
import type { Permissions } from './permissions.ts';

/** Who the App is on GitHub; `email` is what ties a commit to its bot account. */
export interface Bot {
  login: string;
  userId: number;
  email: string;
}

export type GitHubApp = ReturnType<typeof createGitHubApp>;

const appSchema = z.object({ id: z.number(), slug: z.string(), name: z.string() });

/**
 * The App itself: who it is, where it is installed, and the tokens and clients for one repository at a time. Beside what each function
 * names, all throw what `createRepositoryClient` says. GitHub is asked only once who the App is.
 */
export function createGitHubApp(options: Transport & { appId: string; privateKey: string; webUrl?: string }) {
  const { appId, privateKey, webUrl = 'https://github.com', ...transport } = options;
  const connect = (signal: AbortSignal, installationId?: number) =>
    createConnection({
      transport,
      authentication: { appId, privateKey },
      signal,
      ...(installationId === undefined ? {} : { installationId }),
    });
  /** The installation of each token that is in use. */
  const holders = new LRUCache<string, number>({ max: 100_000, ttl: tokenLifeMs });
  const connectAs = (token: string, signal: AbortSignal) => {
    const installationId = holders.get(token);
    return createConnection({
      transport,
      authentication: { token },
      signal,
      ...(installationId === undefined ? {} : { installationId }),
    });
  };

  async function mint(wanted: MintRequest & { signal: AbortSignal }): Promise<InstallationToken> {
    const minted = await mintToken(connect(wanted.signal, wanted.installationId), wanted);
    holders.set(minted.token, wanted.installationId);
    return minted;
  }

  let knownApp: z.infer<typeof appSchema> | undefined;
  let knownBot: Bot | undefined;

  async function fetchApp(signal: AbortSignal): Promise<{ appId: number; slug: string; name: string }> {
    knownApp ??= await connect(signal).read('read the App', async ({ rest }) =>
      appSchema.parse((await rest.apps.getAuthenticated()).data),
    );
    return { appId: knownApp.id, slug: knownApp.slug, name: knownApp.name };
  }

  /** The login of the App's own account. */
  const fetchBotLogin = async (signal: AbortSignal) => `${(await fetchApp(signal)).slug}[bot]`;

  /**
   * Best effort, never throws: a token that is not revoked ends within the hour. Sends nothing while a limit keeps the token's installation
   * from asking.
   */
  async function revokeToken(token: string): Promise<void> {
    // Not with a run's signal: a token is given back above all when the run was aborted.
    await connectAs(token, new AbortController().signal)
      .write('revoke a token', ({ rest }) => rest.apps.revokeInstallationAccessToken())
      .catch(() => undefined);
    forgetToken(token);
  }

  /** For a token that nobody uses any more. */
  const forgetToken = (token: string) => void holders.delete(token);

  /** Returns when git may show this token to GitHub. Throws `Parked` while a limit keeps its installation from asking. */
  async function admitGit({ token, signal }: { token: string; signal: AbortSignal }): Promise<void> {
    const installationId = holders.get(token);
    if (installationId !== undefined)
      await transport.admit?.({ installationId, isWrite: false, patienceMs: 0, signal });
  }

  /** Tells that a limit of GitHub's refused git a request with this token. Returns when git may ask again. */
  async function tellGitLimited({ token, until, isStated }: { token: string } & Omit<Limit, 'kind'>): Promise<Date> {
    const installationId = holders.get(token);
    if (installationId === undefined) return until;
    // Never the primary limit: what git asks does not count against the hour's requests.
    return (await transport.onLimited?.(installationId, { kind: 'secondary', until, isStated })) || until;
  }

  return {
    fetchApp,
    fetchBotLogin,
    revokeToken,
    forgetToken,
    admitGit,
    tellGitLimited,

    /**
     * The App's bot account, asked for with an installation's `token`: without one GitHub answers few requests an hour, and some servers
     * none. Where GitHub shows no such account, `userId` is the App's own number.
     */
    async fetchBot({ token, signal }: { token: string; signal: AbortSignal }): Promise<Bot> {
      if (knownBot !== undefined) return knownBot;
      const { appId } = await fetchApp(signal);
      const login = await fetchBotLogin(signal);
      const userId = await connectAs(token, signal).read(
        `read the account ${login}`,
        async ({ rest }) =>
          z.object({ id: z.number() }).parse((await rest.users.getByUsername({ username: login })).data).id,
        { 404: () => appId },
      );
      knownBot = { login, userId, email: `${userId}+${login}@users.noreply.${new URL(webUrl).hostname}` };
      return knownBot;
    },

    /** Undefined when the App is not installed there, or there is no such repository. */
    async findInstallationOf(
      { owner, repo }: { owner: string; repo: string },
      signal: AbortSignal,
    ): Promise<Installation | undefined> {
      return connect(signal).read<Installation | undefined>(
        `find the installation of ${owner}/${repo}`,
        async ({ rest }) => installationSchema.parse((await rest.apps.getRepoInstallation({ owner, repo })).data),
        { 404: () => undefined },
      );
    },

    /** Undefined when the App is not installed there any more. */
    async fetchInstallation(installationId: number, signal: AbortSignal): Promise<Installation | undefined> {
      return fetchInstallation(connect(signal), installationId);
    },

    async listInstallations(signal: AbortSignal): Promise<Installation[]> {
      return connect(signal).read('list the installations', async ({ rest }) =>
        listAll(async (page) => {
          const answer = await rest.apps.listInstallations(page);
          return { items: z.array(installationSchema).parse(answer.data), link: answer.headers.link };
        }),
      );
    },

    /** Every repository that the installation may reach. Throws what `mintToken` throws. */
    async listRepositories(installationId: number, signal: AbortSignal): Promise<Repository[]> {
      const permissions: Permissions = { metadata: 'read' };
      const { token } = await mint({ installationId, repositoryId: undefined, permissions, signal });
      const connection = createConnection({
        transport,
        authentication: { token },
        permissions,
        installationId,
        signal,
      });
      try {
        return await connection.read(`list the repositories of installation ${installationId}`, async ({ rest }) =>
          listAll(async (page) => {
            const answer = await rest.apps.listReposAccessibleToInstallation(page);
            const { repositories } = z.object({ repositories: z.array(repositorySchema) }).parse(answer.data);
            return { items: repositories, link: answer.headers.link };
          }),
        );
      } finally {
        await revokeToken(token);
      }
    },

    /**
     * A token for one repository, or for all of the installation, and no more than `permissions`, valid for an hour. Throws `GitHubRefusal`
     * `installation_gone`, `installation_suspended`, `permission_missing` or `repository_gone`. Repeated like a read: a token that nobody
     * received does no harm.
     */
    async mintToken(wanted: MintRequest & { signal: AbortSignal }): Promise<InstallationToken> {
      return mint(wanted);
    },

    ...createDeliveryCalls({ connect }),

    /** A client for one repository, with a token that was minted for it. */
    repositoryClient(access: RepositoryAccess): RepositoryClient {
      return createRepositoryClient({ ...access, transport, appId: Number(appId), fetchBotLogin });
    },
  };
}
