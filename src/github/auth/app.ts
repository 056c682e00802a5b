import { LRUCache } from 'lru-cache';
import { z } from 'zod';
import { createDeliveryCalls } from '../calls/delivery-calls.ts';
import { fetchInstallation, type Installation, installationSchema } from '../calls/installation.ts';
import { type Repository, repositorySchema } from '../calls/repository.ts';
import {
  createRepositoryClient,
  type RepositoryClient,
  type RepositoryCredentials,
} from '../calls/repository-client.ts';
import { createConnection } from '../client/connection.ts';
import { listAll, readIfFound, readList } from '../client/reads.ts';
import type { Transport } from '../client/transport.ts';
import { type DescribedInstallations, describeInstallations, neededPermissions } from './describe-installations.ts';
import { type InstallationToken, type MintRequest, mintToken, tokenLifeMs } from './mint-token.ts';
import { findMissingPermissions, type Permissions, permissionsSchema } from './permissions.ts';

/** The App's bot account. `email` links commits to it. */
export interface Bot {
  login: string;
  userId: number;
  email: string;
}

export type GitHubApp = ReturnType<typeof createGitHubApp>;

const appSchema = z.object({ id: z.number(), slug: z.string(), name: z.string() });
/** Undefined from some versions of GitHub Enterprise Server. */
const appPermissionsSchema = z.object({ permissions: permissionsSchema.optional() });

/** The App: its identity (read once), installations, tokens and repository clients. Functions throw as `createRepositoryClient` says. */
export function createGitHubApp(options: Transport & { appId: string; privateKey: string; webUrl?: string }) {
  const { appId, privateKey, webUrl = 'https://github.com', ...transport } = options;
  const connect = (signal: AbortSignal, installationId?: number) =>
    createConnection({
      transport,
      authentication: { appId, privateKey },
      signal,
      ...(installationId === undefined ? {} : { installationId }),
    });
  const installationOfToken = new LRUCache<string, number>({ max: 10_000, ttl: tokenLifeMs });
  const connectAs = (token: string, signal: AbortSignal) => {
    const installationId = installationOfToken.get(token);
    return createConnection({
      transport,
      authentication: { token },
      signal,
      ...(installationId === undefined ? {} : { installationId }),
    });
  };

  async function mint(request: MintRequest & { signal: AbortSignal }): Promise<InstallationToken> {
    const minted = await mintToken(connect(request.signal, request.installationId), request);
    installationOfToken.set(minted.token, request.installationId);
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

  const fetchBotLogin = async (signal: AbortSignal) => `${(await fetchApp(signal)).slug}[bot]`;

  /** Best effort, never throws: tokens expire within the hour. Sends nothing during a rate limit of the installation. */
  async function revokeToken(token: string): Promise<void> {
    // Not with a run's signal: an aborted run revokes its token too.
    await connectAs(token, new AbortController().signal)
      .write('revoke a token', ({ rest }) => rest.apps.revokeInstallationAccessToken())
      .catch(() => undefined);
    forgetToken(token);
  }

  const forgetToken = (token: string) => void installationOfToken.delete(token);

  /** Returns when git may use this token. Throws `Parked` during a rate limit of its installation. */
  async function admitGit({ token, signal }: { token: string; signal: AbortSignal }): Promise<void> {
    const installationId = installationOfToken.get(token);
    if (installationId !== undefined)
      await transport.admit?.({ installationId, isWrite: false, patienceMs: 0, signal });
  }

  /** Reports that a rate limit refused git with this token. Returns when git may try again. */
  async function reportGitLimit({
    token,
    until,
    isStated,
  }: {
    token: string;
    until: Date;
    isStated: boolean;
  }): Promise<Date> {
    const installationId = installationOfToken.get(token);
    if (installationId === undefined) return until;
    // git's requests do not count against the primary limit.
    return (await transport.onLimited?.(installationId, { kind: 'secondary', until, isStated })) || until;
  }

  return {
    fetchApp,
    fetchBotLogin,
    revokeToken,
    forgetToken,

    /** Not cached. `missing`: the permissions, as `name=level`, that the App itself lacks. Throws `AppKeyRefused`. */
    async readApp(signal: AbortSignal): Promise<{ missing: string[] }> {
      return connect(signal).read('read the App', async ({ rest }) => {
        const { permissions } = appPermissionsSchema.parse((await rest.apps.getAuthenticated()).data);
        return { missing: permissions ? findMissingPermissions(neededPermissions, permissions) : [] };
      });
    },

    /** The permissions and events that the App and each of its installations lack. Not cached. Throws `AppKeyRefused`. */
    async describeInstallations(signal: AbortSignal): Promise<DescribedInstallations> {
      return describeInstallations(connect(signal), webUrl);
    },

    /** The URL to which GitHub sends webhooks. Undefined if GitHub omits it. */
    async fetchWebhookUrl(signal: AbortSignal): Promise<string | undefined> {
      return readIfFound(connect(signal), 'read where webhooks are sent', async ({ rest }) => {
        return (await rest.apps.getWebhookConfigForApp()).data.url;
      });
    },

    admitGit,
    reportGitLimit,

    /** Needs an installation's `token`: without one GitHub answers few requests, some servers none. A missing account gets the App's id as `userId`. */
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

    /** Undefined when the App is not installed, or the repository does not exist. */
    findInstallationOf: (
      { owner, repo }: { owner: string; repo: string },
      signal: AbortSignal,
    ): Promise<Installation | undefined> =>
      readIfFound(connect(signal), `find the installation of ${owner}/${repo}`, async ({ rest }) =>
        installationSchema.parse((await rest.apps.getRepoInstallation({ owner, repo })).data),
      ),

    /** Under its present name, also by a former one. Undefined: the installation does not include it. */
    async findRepository(
      { owner, repo, installationId }: { owner: string; repo: string; installationId: number },
      signal: AbortSignal,
    ): Promise<Repository | undefined> {
      const permissions: Permissions = { metadata: 'read' };
      const { token } = await mint({ installationId, repositoryId: undefined, permissions, signal });
      try {
        return await readIfFound(connectAs(token, signal), `read ${owner}/${repo}`, async ({ rest }) =>
          repositorySchema.parse((await rest.repos.get({ owner, repo })).data),
        );
      } finally {
        await revokeToken(token);
      }
    },

    fetchInstallation: (installationId: number, signal: AbortSignal): Promise<Installation | undefined> =>
      fetchInstallation(connect(signal), installationId),

    listInstallations: (signal: AbortSignal): Promise<Installation[]> =>
      readList(connect(signal), { what: 'list the installations', item: installationSchema }, ({ rest }, page) =>
        rest.apps.listInstallations(page),
      ),

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

    /** Retried as a read: a token that nobody received does no harm. */
    async mintToken(request: MintRequest & { signal: AbortSignal }): Promise<InstallationToken> {
      return mint(request);
    },

    ...createDeliveryCalls({ connect }),

    repositoryClient(access: RepositoryCredentials): RepositoryClient {
      return createRepositoryClient({ ...access, transport, appId: Number(appId), fetchBotLogin });
    },
  };
}
