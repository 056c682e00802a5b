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
import { readIfFound, readList } from '../client/reads.ts';
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

const appSchema = z
  .object({ id: z.number(), slug: z.string(), name: z.string() })
  .transform(({ id, slug, name }) => ({ appId: id, slug, name }));
/** Undefined from some versions of GitHub Enterprise Server. */
const appPermissionsSchema = z.object({ permissions: permissionsSchema.optional() });

/** The App: its identity (read once), installations, tokens and repository clients. Functions throw as `createRepositoryClient` says. */
export function createGitHubApp(options: Transport & { appId: string; privateKey: string; webUrl?: string }) {
  const { appId, privateKey, webUrl = 'https://github.com', ...transport } = options;
  const connect = (signal: AbortSignal, installationId?: number) =>
    createConnection({ transport, authentication: { appId, privateKey }, signal, installationId });
  const installationOfToken = new LRUCache<string, number>({ max: 10_000, ttl: tokenLifeMs });
  const connectAs = (token: string, signal: AbortSignal, permissions?: Permissions) => {
    const installationId = installationOfToken.get(token);
    return createConnection({ transport, authentication: { token }, permissions, signal, installationId });
  };

  /** Retried as a read: a token that nobody received does no harm. */
  async function mint(request: MintRequest & { signal: AbortSignal }): Promise<InstallationToken> {
    const minted = await mintToken(connect(request.signal, request.installationId), request);
    installationOfToken.set(minted.token, request.installationId);
    return minted;
  }

  let knownApp: z.output<typeof appSchema> | undefined;
  let knownBot: Bot | undefined;

  async function fetchApp(signal: AbortSignal): Promise<z.output<typeof appSchema>> {
    knownApp ??= await connect(signal).read('read the App', async ({ rest }) =>
      appSchema.parse((await rest.apps.getAuthenticated()).data),
    );
    return knownApp;
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
    mintToken: mint,
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
      const what = `list the repositories of installation ${installationId}`;
      try {
        return await readList(
          connectAs(token, signal, permissions),
          { what, item: repositorySchema, key: 'repositories' },
          ({ rest }, page) => rest.apps.listReposAccessibleToInstallation(page),
        );
      } finally {
        await revokeToken(token);
      }
    },

    ...createDeliveryCalls({ connect }),

    repositoryClient(access: RepositoryCredentials): RepositoryClient {
      return createRepositoryClient({ ...access, transport, appId: Number(appId), fetchBotLogin });
    },
  };
}
