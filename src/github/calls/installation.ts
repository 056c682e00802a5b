import { z } from 'zod';
import { permissionsSchema } from '../auth/permissions.ts';
import type { GitHubConnection } from '../client/connection.ts';
import { readIfFound } from '../client/reads.ts';

/** The name of an account. An enterprise has a slug instead of a login. */
export const accountName = z
  .union([z.object({ login: z.string() }), z.object({ slug: z.string() })])
  .transform((account) => ('login' in account ? account.login : account.slug));

/** https://docs.github.com/en/rest/apps/apps#get-an-installation-for-the-authenticated-app */
export const installationSchema = z
  .object({
    id: z.number(),
    account: accountName.nullable(),
    suspended_at: z.coerce.date().nullish(),
    permissions: permissionsSchema,
  })
  .transform(({ id, account, suspended_at, permissions }) => ({
    installationId: id,
    account: account ?? '',
    suspendedAt: suspended_at ?? null,
    permissions,
  }));

export type Installation = z.output<typeof installationSchema>;

/** `connection` must be authenticated as the App. */
export const fetchInstallation = (
  connection: GitHubConnection,
  installationId: number,
): Promise<Installation | undefined> =>
  readIfFound(connection, `read installation ${installationId}`, async ({ rest }) =>
    installationSchema.parse((await rest.apps.getInstallation({ installation_id: installationId })).data),
  );
