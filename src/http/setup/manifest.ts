import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { z } from 'zod';
import { webhookPath } from '../../config/webhook-path.ts';

const appYmlSchema = z.looseObject({
  name: z.string(),
  public: z.boolean(),
  default_permissions: z.record(z.string(), z.string()),
  default_events: z.array(z.string()),
});

const path = join(import.meta.dirname, '../../../app.yml');

/** What app.yml says that the App is registered with. */
export const readAppYml = () => appYmlSchema.parse(parse(readFileSync(path, 'utf8')));

export type Manifest = ReturnType<typeof createManifest>;

/**
 * The manifest that GitHub registers the App from: app.yml, with this service's own addresses. `redirectUrl` is where GitHub sends the
 * browser with the code. https://docs.github.com/en/apps/sharing-github-apps/registering-a-github-app-from-a-manifest
 */
export const createManifest = (given: { name: string; baseUrl: string; redirectUrl: string }) => ({
  ...readAppYml(),
  name: given.name,
  url: given.baseUrl,
  hook_attributes: { url: `${given.baseUrl}${webhookPath}`, active: true },
  redirect_url: given.redirectUrl,
  setup_url: `${given.baseUrl}/setup/installed`,
});
