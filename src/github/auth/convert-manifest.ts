import { z } from 'zod';
import { accountName } from '../calls/installation.ts';
import { createConnection } from '../client/connection.ts';
import type { Transport } from '../client/transport.ts';

/** The credentials of a new App, which GitHub shows once: https://docs.github.com/en/rest/apps/apps#create-a-github-app-from-a-manifest. */
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
    owner: accountName.nullish(),
  })
  .transform(({ slug, name, owner, ...app }) => ({
    appId: app.id,
    slug,
    name,
    /** PEM. */
    privateKey: app.pem,
    webhookSecret: app.webhook_secret ?? null,
    clientId: app.client_id,
    clientSecret: app.client_secret,
    /** The App's page. */
    url: app.html_url,
    owner: owner ?? null,
  }));

type AppCredentials = z.output<typeof credentialsSchema>;

/** Sent once: after `AmbiguousWrite`, register the App again. Undefined when the code was used or is older than an hour. Throws as `Connection.write`. */
export async function convertManifest(options: {
  transport: Transport;
  code: string;
  signal: AbortSignal;
}): Promise<AppCredentials | undefined> {
  const { transport, code, signal } = options;
  return createConnection({ transport, authentication: 'none', signal }).write<AppCredentials | undefined>(
    'take over the new App from its manifest',
    async ({ rest }) => credentialsSchema.parse((await rest.apps.createFromManifest({ code })).data),
    { 404: () => undefined },
  );
}
