import { createPublicKey, randomInt } from 'node:crypto';
import { ensureAccount } from './accounts.ts';
import type { Account, World } from './world.ts';

export interface AppSettings {
  id: number;
  slug: string;
  clientId?: string;
  /** PEM; only its public half is used. */
  privateKey: string;
  webhookUrl?: string;
  webhookSecret: string;
  /** What the App is subscribed to; default: the events of a pull request and of branches. */
  events?: string[];
}

const defaultEvents = [
  'pull_request',
  'issue_comment',
  'pull_request_review',
  'pull_request_review_comment',
  'push',
  'create',
  'delete',
  'repository',
];

export function createWorld(given: {
  app: AppSettings;
  apiUrl: string;
  webUrl: string;
  directory: string;
  clock: () => Date;
  send: World['send'];
  log: World['log'];
}): World {
  const { app, clock } = given;
  const accounts = new Map<string, Account>();
  let lastId = randomInt(1_000_000, 2_000_000);
  let lastTime = 0;
  const nextId = () => {
    lastId += 1;
    return lastId;
  };
  return {
    ...given,
    app: {
      id: app.id,
      slug: app.slug,
      clientId: app.clientId ?? `Iv23li${app.slug}`,
      publicKey: createPublicKey(app.privateKey),
      events: app.events ?? defaultEvents,
      bot: ensureAccount({ accounts, nextId }, `${app.slug}[bot]`, 'Bot'),
      owner: ensureAccount({ accounts, nextId }, `${app.slug}-makers`, 'Organization'),
    },
    accounts,
    repositories: new Map(),
    formerNames: new Map(),
    installations: new Map(),
    tokens: new Map(),
    timestamp() {
      lastTime = Math.max(lastTime, Math.floor(clock().getTime() / 1000) * 1000);
      return new Date(lastTime).toISOString().replace('.000Z', 'Z');
    },
    nextId,
  };
}
