import { z } from 'zod';
import { createConnection } from '../client/connection.ts';
import type { Transport } from '../client/transport.ts';

/** The credentials of a new App, which GitHub shows once. `url` is the App's page; `privateKey` is PEM. */
interface AppCredentials {
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

/** https://docs.github.com/en/rest/apps/apps#create-a-github-app-from-a-manifest. An enterprise has a slug instead of a login. */
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
    (app): AppCredentials => ({
      appId: app.id,
      slug: app.slug,
      name: app.name,
      privateKey: app.pem,
      webhookSecret: app.webhook_secret ?? null,
      clientId: app.client_id,
      clientSecret: app.client_secret,
      url: app.html_url,
      owner: app.owner ? ('login' in app.owner ? app.owner.login : app.owner.slug) : null,
    }),
  );

/** Sent once: after `AmbiguousWrite`, register the App again. Undefined when the code was used or is older than an hour. Throws as `Connection.write`. */
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
