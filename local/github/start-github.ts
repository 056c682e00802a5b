import { randomInt, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdir } from 'node:fs/promises';
import { createServer } from 'node:http';
import express from 'express';
import { createApi } from './api/create-api.ts';
import type { Exchange } from './api/exchange.ts';
import { createFaults } from './api/faults.ts';
import { createInFlight } from './api/in-flight.ts';
import { createRateLimits } from './api/rate-limits.ts';
import type { LoggedRequest } from './api/request-log.ts';
import { type AppSettings, createApp } from './apps/create-app.ts';
import { createAppRegistration } from './apps/create-app-registration.ts';
import { manageInstallations } from './apps/manage-installations.ts';
import { parseManifest } from './apps/parse-manifest.ts';
import { createPerson, type LocalPerson } from './create-person.ts';
import { createWebhooks } from './events/webhooks.ts';
import { addRepository, type NewRepository } from './git/add-repository.ts';
import { createGitServer } from './git/create-git-server.ts';
import { createPages } from './pages/create-pages.ts';
import { allRoutes } from './routes/all-routes.ts';
import { completeRule } from './rules/complete-rule.ts';
import type { Rule } from './rules/ruleset.ts';
import type { Account, Grant, Role } from './state/account.ts';
import { ensureAccount, requireAccount } from './state/accounts.ts';
import { findDuplicates } from './state/find-duplicates.ts';
import { plainGrant, requireRepository } from './state/repositories.ts';
import type { World } from './state/world.ts';

export interface GitHubSettings {
  /** Default 0: any free port. */
  port?: number;
  host?: '127.0.0.1';
  /** The folder of the bare repositories; made when missing. They outlive the process, but a later start does not read them. */
  directory: string;
  /** Without it, a manifest registers the App, on the page or by `createAppFromManifest`. */
  app?: AppSettings;
  /** Default: the real time. Tokens, limits and dates use it. */
  clock?: () => Date;
  /** Requests an hour of each installation and of the App; default: 5,000. */
  hourlyLimit?: number;
  log?: (line: string) => void;
  /** Called after each answer of the REST API in JSON. Injected faults are not told. */
  onExchange?: (exchange: Exchange) => void;
}

/**
 * Starts a GitHub for a laptop and for tests, for one App: its REST API, git over HTTP, signed webhooks and a few pages. It refuses
 * what github.com refuses, with the same status and body. The state is in memory, the commits are real, in bare repositories.
 *
 * Clients need only `apiUrl` and `webUrl`. The rest of the handle lets a demo or a test add repositories, act as a person, break
 * requests and read the logs. Throws when the port is taken or the key is not PEM. `stop()` ends every connection and delivery.
 */
export async function startGitHub(settings: GitHubSettings) {
  const { port = 0, host = '127.0.0.1', directory, app, clock = () => new Date() } = settings;
  const { log = () => {}, onExchange } = settings;
  await mkdir(directory, { recursive: true });
  const server = createServer();
  server.listen(port, host);
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('could not listen on a TCP port');
  const webUrl = `http://${host}:${address.port}`;

  const ended = new AbortController();
  const webhooks = createWebhooks({
    world: () => world,
    url: app?.webhookUrl,
    secret: app?.webhookSecret ?? '',
    signal: ended.signal,
  });
  const world: World = createWorld({
    apiUrl: `${webUrl}/api/v3`,
    webUrl,
    directory,
    clock,
    send: webhooks.send,
    log,
  });
  world.app = app && createApp(world, app);
  const faults = createFaults();
  const limits = createRateLimits(world, { limit: settings.hourlyLimit });
  const requests: LoggedRequest[] = [];
  const inFlight = createInFlight();

  const web = express();
  web.disable('x-powered-by').disable('etag');
  const registration = createAppRegistration({ world, setWebhook: webhooks.setTarget });
  const installations = manageInstallations(world);
  const routes = allRoutes({ webhooks, registration });
  const api = createApi({ world, routes, faults, limits, requests, inFlight, onExchange });
  web.use('/api/v3', api);
  // An Enterprise Server has GraphQL beside `v3`; octokit derives its URL.
  web.post('/api/graphql', (request, response, next) => {
    request.url = '/graphql';
    api(request, response, next);
  });
  web.use(createGitServer({ world, faults, requests, inFlight }));
  web.use(createPages({ world, registration, installations }));
  server.on('request', web);

  const stop = async (): Promise<void> => {
    ended.abort();
    faults.releaseAll();
    if (server.listening) {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    }
    await inFlight.settled();
    await webhooks.settled();
  };

  return {
    apiUrl: world.apiUrl,
    webUrl,
    stop,
    [Symbol.asyncDispose]: stop,

    addUser: (login: string, { type = 'User' }: { type?: Account['type'] } = {}): Account =>
      ensureAccount(world, login, type),
    /** The owner becomes an organization unless it was added as a user before. */
    async addRepository(settings: NewRepository) {
      const { id, owner, name, defaultBranch, directory: gitDirectory } = await addRepository(world, settings);
      const fullName = `${owner.login}/${name}`;
      return {
        id,
        owner: owner.login,
        name,
        fullName,
        defaultBranch,
        gitDirectory,
        cloneUrl: `${webUrl}/${fullName}.git`,
      };
    },
    ...installations,
    /**
     * Registers the App as the page's button does. Returns the redirect URL with code and state. The owner becomes a user
     * unless it was added as an organization. Throws when the manifest is refused.
     */
    async createAppFromManifest(
      manifest: unknown,
      { owner, state }: { owner: string; state?: string },
    ): Promise<string> {
      return registration.register(parseManifest(manifest), { owner: ensureAccount(world, owner), state });
    },
    /**
     * `none` removes the person's access; everyone still reads a public repository. A custom role has its own name and inherits
     * from a base role.
     */
    setPermission(repository: string, login: string, role: Role | Grant): void {
      ensureAccount(world, login);
      const { roles } = requireRepository(world, repository);
      if (role === 'none') roles.delete(login.toLowerCase());
      else roles.set(login.toLowerCase(), typeof role === 'string' ? plainGrant(role) : role);
    },
    /**
     * Replaces the ruleset of a branch or a pattern (`pagewright/**`, `~DEFAULT_BRANCH`, `~ALL`); an empty list removes it. The API
     * lists the rules, and the App's pushes must follow them unless it can bypass. People may break them.
     */
    setRules(repository: string, pattern: string, rules: Rule[], { canBypass = false }: { canBypass?: boolean } = {}) {
      const { rulesets } = requireRepository(world, repository);
      rulesets.delete(pattern);
      if (rules.length === 0) return;
      const [id, createdAt] = [world.nextId(), world.timestamp()];
      rulesets.set(pattern, { id, pattern, rules: rules.map(completeRule), canBypass, createdAt });
    },
    /** The address of an attachment, as github.com writes it into a comment. */
    attach(content: Buffer, { status = 200 }: { status?: number } = {}): string {
      const id = randomUUID();
      world.attachments.set(id, { content, status });
      return `${webUrl}/user-attachments/assets/${id}`;
    },
    asPerson: (login: string): LocalPerson => createPerson(world, requireAccount(world, login)),

    /** Every request to the API and to git, oldest first; nothing clears it. */
    requests: requests as readonly LoggedRequest[],
    duplicates: (): string[] => findDuplicates(world),
    inject: faults.inject,
    deliveries: webhooks,
    setWebhook: webhooks.setTarget,
    redeliver: webhooks.redeliver,
  };
}

export type LocalGitHub = Awaited<ReturnType<typeof startGitHub>>;

function createWorld(parts: Pick<World, 'apiUrl' | 'webUrl' | 'directory' | 'clock' | 'send' | 'log'>): World {
  let lastId = randomInt(1_000_000, 2_000_000);
  let lastTime = 0;
  return {
    ...parts,
    app: undefined,
    conversions: new Map(),
    userCodes: new Map(),
    userTokens: new Map(),
    accounts: new Map(),
    repositories: new Map(),
    formerNames: new Map(),
    installations: new Map(),
    tokens: new Map(),
    attachments: new Map(),
    timestamp() {
      lastTime = Math.max(lastTime, Math.floor(parts.clock().getTime() / 1000) * 1000);
      return new Date(lastTime).toISOString().replace('.000Z', 'Z');
    },
    nextId() {
      lastId += 1;
      return lastId;
    },
  };
}
