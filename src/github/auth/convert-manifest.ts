import { z } from 'zod';
import { createConnection } from '../client/connection.ts';
import type { Transport } from '../client/transport.ts';

/** What GitHub hands out, once, for an App that was registered from a manifest. `url` is the App's page; `privateKey` is PEM. */
export interface AppCredentials {
  appId: number;
  slug: string;
  name: string;
  privateKey: string;
  webhookSecret: string | null;
  clientId: string;
  clientSecret: string;
  url: string;
  owner: string | null;
}

/** https://docs.github.com/en/rest/apps/apps#create-a-github-app-from-a-manifest; an enterprise has a slug, no login. */
const credentialsSchema = z
  .object({
    id: z.number(),
    slug: z.string().min(1),
    name: z.string(),
    pem: z.string().min(1),
    webhook_secret: z.string().nullish(),
    client_id: z.string(),
    client_secret: z.string(),
    html_url: z.string(),
    owner: z.union([z.object({ login: z.string() }), z.object({ slug: z.string() })]).nullish(),
  })
  .transform(
    (given): AppCredentials => ({
      appId: given.id,
      slug: given.slug,
      name: given.name,
      privateKey: given.pem,
      webhookSecret: given.webhook_secret ?? null,
      clientId: given.client_id,
      clientSecret: given.client_secret,
      url: given.html_url,
      owner: given.owner ? ('login' in given.owner ? given.owner.login : given.owner.slug) : null,
    }),
  );

/**
 * Exchanges the `code` that GitHub's manifest flow returns with for the credentials of the new App; undefined when the code was used, or is
 * older than an hour. Sent once, since a code works once: `AmbiguousWrite` when the answer was lost, and the App has to be registered
 * anew. Throws otherwise what `Connection` says.
 */
export async function convertManifest({
  transport,
  code,
  signal,
}: {
  transport: Transport;
  code: string;
  signal: AbortSignal;
}): Promise<AppCredentials | undefined> {
  return createConnection({ transport, authentication: 'none', signal }).write<AppCredentials | undefined>(
    'take over the new App from its manifest',
    async ({ rest }) => credentialsSchema.parse((await rest.apps.createFromManifest({ code })).data),
    { 404: () => undefined },
  );
}
