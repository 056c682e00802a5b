import { createAppAuth } from '@octokit/auth-app';
import { Octokit } from '@octokit/rest';

/** Mints a token with every permission of the installation. */
export async function mintToken({
  apiUrl,
  app,
  installationId,
}: {
  apiUrl: string;
  app: { id: number; privateKey: string };
  installationId: number;
}): Promise<string> {
  const auth = { appId: app.id, privateKey: app.privateKey };
  const { rest } = new Octokit({ baseUrl: apiUrl, authStrategy: createAppAuth, auth });
  const { data } = await rest.apps.createInstallationAccessToken({ installation_id: installationId });
  return data.token;
}
