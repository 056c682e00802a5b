import { z } from 'zod';
import { appManifest } from '../../config/app-manifest.ts';
import { accountName } from '../calls/installation.ts';
import type { GitHubConnection } from '../client/connection.ts';
import { readList } from '../client/reads.ts';
import { findMissingPermissions, permissionsSchema } from './permissions.ts';

/** Permissions, as `name=level`, and events that the App or one of its installations lacks. */
export interface Missing {
  permissions: string[];
  events: string[];
}

export interface InstallationState {
  account: string;
  /** The installation's settings on GitHub. */
  url: string;
  isSuspended: boolean;
  missing: Missing;
}

const { default_events: neededEvents, default_permissions: permissionsOfApp } = appManifest;
/** The permissions of app.yml, as `name=level` with commas between them. */
export const neededPermissions = Object.entries(permissionsOfApp)
  .map((entry) => entry.join('='))
  .join(',');

/** Some versions of GitHub Enterprise Server omit permissions and events: then nothing is known to be missing. */
const given = { permissions: permissionsSchema.optional(), events: z.array(z.string()).optional() };

/** https://docs.github.com/en/rest/apps/apps#get-the-authenticated-app */
const appSchema = z.object({
  slug: z.string(),
  owner: z.object({ login: z.string(), type: z.string() }).nullish(),
  ...given,
});
/** https://docs.github.com/en/rest/apps/apps#list-installations-for-the-authenticated-app */
const installationSchema = z.object({
  id: z.number(),
  account: accountName.nullable(),
  html_url: z.string(),
  suspended_at: z.string().nullish(),
  ...given,
});

/** `connection` must be authenticated as the App. */
export async function describeInstallations(connection: GitHubConnection, webUrl: string) {
  const app = appSchema.parse(
    await connection.read('read the App', async ({ rest }) => (await rest.apps.getAuthenticated()).data),
  );
  const installations = await readList(
    connection,
    { what: 'list the installations', item: installationSchema },
    ({ rest }, page) => rest.apps.listInstallations(page),
  );
  const account = app.owner?.type === 'Organization' ? `organizations/${encodeURIComponent(app.owner.login)}/` : '';
  return {
    app: {
      missing: findMissing(app),
      /** Where the App's permissions and events are changed. */
      url: `${webUrl}/${account}settings/apps/${encodeURIComponent(app.slug)}/permissions`,
    },
    installations: installations.map(
      (installation): InstallationState => ({
        account: installation.account ?? `installation ${installation.id}`,
        url: installation.html_url,
        isSuspended: typeof installation.suspended_at === 'string',
        missing: findMissing(installation),
      }),
    ),
  };
}

export type DescribedInstallations = Awaited<ReturnType<typeof describeInstallations>>;

function findMissing({ permissions, events }: Partial<z.infer<typeof appSchema>>): Missing {
  return {
    permissions: permissions === undefined ? [] : findMissingPermissions(neededPermissions, permissions),
    events: events === undefined ? [] : neededEvents.filter((event) => !events.includes(event)),
  };
}
