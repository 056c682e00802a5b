import { generateKeyPair, randomBytes } from 'node:crypto';
import { promisify } from 'node:util';
import { ApiError, notFound } from '../api/api-error.ts';
import type { Account } from '../state/account.ts';
import type { World } from '../state/world.ts';
import { createApp } from './create-app.ts';
import type { Manifest } from './parse-manifest.ts';

const codeLifetimeMs = 60 * 60_000;

/**
 * Registers the one App from a manifest, and returns its secrets once, in exchange for the code of the redirect.
 * https://docs.github.com/en/apps/sharing-github-apps/registering-a-github-app-from-a-manifest
 */
export function createAppRegistration({
  world,
  setWebhook,
}: {
  world: World;
  setWebhook(url: string | undefined, secret: string): void;
}) {
  const refuseSecond = (slug: string): void => {
    if (world.app?.slug === slug) throw new ApiError(422, 'Name has already been taken');
    if (world.app) throw new ApiError(422, `This stand-in serves one App, and ${world.app.name} is registered`);
  };

  return {
    /** Returns the URL to redirect the person to. Throws `ApiError` 422 when an App exists. */
    async register(
      manifest: Manifest,
      { owner, state }: { owner: Account; state?: string | undefined },
    ): Promise<string> {
      const slug = slugOf(manifest.name);
      const keys = await promisify(generateKeyPair)('rsa', {
        modulusLength: 2048,
        privateKeyEncoding: { type: 'pkcs1', format: 'pem' },
        publicKeyEncoding: { type: 'spki', format: 'pem' },
      });
      // Checked again: a second press of the button may have come first.
      refuseSecond(slug);
      const webhookSecret = newSecret();
      const clientSecret = newSecret();
      world.app = createApp(
        world,
        {
          id: world.nextId(),
          slug,
          clientId: `Iv23li${randomBytes(7).toString('hex')}`,
          clientSecret,
          callbackUrls: manifest.callback_urls,
          privateKey: keys.privateKey,
          webhookSecret,
          permissions: manifest.default_permissions,
          events: manifest.default_events,
        },
        {
          name: manifest.name,
          description: manifest.description,
          externalUrl: manifest.url,
          owner,
          isPublic: manifest.public,
          setupUrl: manifest.setup_url ?? null,
        },
      );
      const { hook_attributes: hook } = manifest;
      setWebhook(hook?.active ? hook.url : undefined, webhookSecret);
      const code = newSecret();
      const expiresAt = new Date(world.clock().getTime() + codeLifetimeMs);
      world.conversions.set(code, { clientSecret, webhookSecret, pem: keys.privateKey, expiresAt });
      const target = new URL(manifest.redirect_url);
      target.searchParams.set('code', code);
      if (state !== undefined) target.searchParams.set('state', state);
      return target.href;
    },
    /** Throws 404 for a code that is unknown, used or an hour old. */
    convert(code: string) {
      const conversion = world.conversions.get(code);
      world.conversions.delete(code);
      if (!conversion || !world.app || conversion.expiresAt <= world.clock()) throw notFound();
      return { app: world.app, conversion };
    },
  };
}

export type AppRegistration = ReturnType<typeof createAppRegistration>;

const newSecret = (): string => randomBytes(20).toString('hex');

const slugOf = (name: string): string =>
  name
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '');
