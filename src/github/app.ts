import { LRUCache } from 'lru-cache';
import { z } from 'zod';
import { createConnection } from './connection.ts';
import { createDeliveryCalls } from './delivery-calls.ts';
import { fetchInstallation, type Installation, installationSchema } from './installation.ts';
import { listAll } from './list-all.ts';
import { type InstallationToken, type MintRequest, mintToken } from './mint-token.ts';
import type { Transport } from './octokit.ts';
import type { Permissions } from './permissions.ts';
import type { Limit } from './rate-limit.ts';
import { type Repository, repositorySchema } from './repository.ts';
import { createRepositoryClient, type RepositoryAccess, type RepositoryClient } from './repository-client.ts';

/** Who the App is on GitHub; `email` is what ties a commit to its bot account. */
export interface Bot {
  login: string;
  userId: number;
  email: string;
}

export type GitHubApp = ReturnType<typeof createGitHubApp>;

const tokenLifeMs = 3600_000;

const appSchema = z.object({ id: z.number(), slug: z.string(), name: z.string() });

/**
 * The App itself: who it is, where it is installed, and the tokens and clients for one repository at a time. What it throws, beside what
 * each function names, is what `createRepositoryClient` says. Who the App is, is asked once and kept.
 */
export function createGitHubApp(options: Transport & { appId: string; privateKey: string; webUrl?: string }) {
  const { appId, privateKey, webUrl = 'https://github.com', ...transport } = options;
  const connect = (signal = new AbortController().signal, installationId?: number) =>
    createConnection({
      transport,
      authentication: { appId, privateKey },
      signal,
      ...(installationId === undefined ? {} : { installationId }),
    });
  /** Whose each token is that is in use. */
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

  async function fetchApp(signal?: AbortSignal): Promise<{ appId: number; slug: string; name: string }> {
    knownApp ??= await connect(signal).read('read the App', async ({ rest }) =>
      appSchema.parse((await rest.apps.getAuthenticated()).data),
    );
    return { appId: knownApp.id, slug: knownApp.slug, name: knownApp.name };
  }

  /** The login of the App's own account. */
  const fetchBotLogin = async (signal?: AbortSignal) => `${(await fetchApp(signal)).slug}[bot]`;

  /** Best effort, and it never throws: a token that nobody revoked ends within the hour. None is while its installation is to ask nothing. */
  async function revokeToken(token: string): Promise<void> {
    // Not with a run's signal: a token is given back above all when the run was aborted.
    await connectAs(token, new AbortController().signal)
      .write('revoke a token', ({ rest }) => rest.apps.revokeInstallationAccessToken())
      .catch(() => undefined);
    forgetToken(token);
  }

  /** Nobody uses it any more. */
  const forgetToken = (token: string) => void holders.delete(token);

  /** Asks whether git may show this token to GitHub now. Throws `Parked` while its installation is to ask nothing. */
  async function admitGit({ token, signal }: { token: string; signal: AbortSignal }): Promise<void> {
    const installationId = holders.get(token);
    if (installationId !== undefined)
      await transport.admit?.({ installationId, isWrite: false, patienceMs: 0, signal });
  }

  /** Tells that GitHub refused git by a limit what it asked with this token. Returns when it may ask again. */
  async function tellGitLimited({ token, until, isStated }: { token: string } & Omit<Limit, 'kind'>): Promise<Date> {
    const installationId = holders.get(token);
    if (installationId === undefined) return until;
    // Git takes nothing of the hour's requests.
    return (await transport.onLimited?.(installationId, until, { kind: 'secondary', until, isStated })) || until;
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
     * none. Where it shows no such account, the App's own number stands for its user's.
     */
    async fetchBot({
      token,
      signal = new AbortController().signal,
    }: {
      token?: string;
      signal?: AbortSignal;
    } = {}): Promise<Bot> {
      if (knownBot !== undefined) return knownBot;
      const { appId } = await fetchApp(signal);
      const login = await fetchBotLogin(signal);
      const connection =
        token === undefined
          ? createConnection({ transport, authentication: 'none', signal })
          : connectAs(token, signal);
      const userId = await connection.read(
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
      signal?: AbortSignal,
    ): Promise<Installation | undefined> {
      return connect(signal).read<Installation | undefined>(
        `find the installation of ${owner}/${repo}`,
        async ({ rest }) => installationSchema.parse((await rest.apps.getRepoInstallation({ owner, repo })).data),
        { 404: () => undefined },
      );
    },

    /** Undefined when the App is not installed there any more. */
    async fetchInstallation(installationId: number, signal?: AbortSignal): Promise<Installation | undefined> {
      return fetchInstallation(connect(signal), installationId);
    },

    async listInstallations(signal?: AbortSignal): Promise<Installation[]> {
      return connect(signal).read('list the installations', async ({ rest }) =>
        listAll(async (page) => {
          const answer = await rest.apps.listInstallations(page);
          return { items: z.array(installationSchema).parse(answer.data), link: answer.headers.link };
        }),
      );
    },

    /** Every repository that the installation may reach. Throws what `mintToken` throws. */
    async listRepositories(installationId: number, signal = new AbortController().signal): Promise<Repository[]> {
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
     * A token for one repository, or all of the installation, and no more than `permissions`, valid for an hour. Throws `RunFailure` `installation_gone`,
     * `installation_suspended`, `permission_missing` or `repository_gone`. Repeated like a read: a token that nobody received does no harm.
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
