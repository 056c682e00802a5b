import { createPublicKey } from 'node:crypto';
import type { Account } from '../state/account.ts';
import { ensureAccount } from '../state/accounts.ts';
import { defaultPermissions } from '../state/installations.ts';
import type { Permissions } from '../state/permissions.ts';
import type { App, World } from '../state/world.ts';

export interface AppSettings {
  id: number;
  slug: string;
  clientId?: string;
  /** Without it, people cannot authorize the App. */
  clientSecret?: string;
  /** Where people return to after they authorized the App. */
  callbackUrls?: string[];
  /** PEM; only its public half is used. */
  privateKey: string;
  webhookUrl?: string;
  webhookSecret: string;
  /** Default permissions of an installation; without them: what a pull request needs. */
  permissions?: Permissions;
  /** Subscribed events; default: those of pull requests and branches. */
  events?: string[];
}

/** The manifest's fields beside the settings that every App has. */
export interface AppDetails {
  name?: string;
  description?: string;
  externalUrl?: string;
  owner?: Account;
  isPublic?: boolean;
  setupUrl?: string | null;
}

const defaultEvents = [
  'pull_request',
  'issue_comment',
  'pull_request_review',
  'pull_request_review_comment',
  'push',
  'release',
  'issues',
  'create',
  'delete',
  'repository',
  'check_run',
  'check_suite',
  'status',
  'deployment_status',
];

/** An App with its bot, without the webhook (see `Webhooks.setTarget`). Throws when the key is not PEM. */
export const createApp = (
  world: Pick<World, 'accounts' | 'nextId' | 'timestamp' | 'webUrl'>,
  settings: AppSettings,
  details: AppDetails = {},
): App => ({
  id: settings.id,
  slug: settings.slug,
  name: details.name ?? settings.slug,
  description: details.description ?? '',
  externalUrl: details.externalUrl ?? world.webUrl,
  clientId: settings.clientId ?? `Iv23li${settings.slug}`,
  clientSecret: settings.clientSecret ?? '',
  callbackUrls: settings.callbackUrls ?? [],
  publicKey: createPublicKey(settings.privateKey),
  permissions: { metadata: 'read', ...(settings.permissions ?? defaultPermissions) },
  events: settings.events ?? defaultEvents,
  isPublic: details.isPublic ?? true,
  setupUrl: details.setupUrl ?? null,
  bot: ensureAccount(world, `${settings.slug}[bot]`, 'Bot'),
  owner: details.owner ?? ensureAccount(world, `${settings.slug}-makers`, 'Organization'),
  createdAt: world.timestamp(),
});
