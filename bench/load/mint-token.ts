import { createAppAuth } from '@octokit/auth-app';
import { Octokit } from '@octokit/rest';

/** Mints a token for everything that an installation may do, as the shortest program would. */
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

/** What a git of its own is told, so that it shows a token and is not told anything by whoever runs it. */
export const gitEnvironment = (token: string): Record<string, string> => ({
  PATH: process.env.PATH ?? '',
  GIT_CONFIG_NOSYSTEM: '1',
  GIT_CONFIG_GLOBAL: '/dev/null',
  GIT_CONFIG_COUNT: '1',
  GIT_CONFIG_KEY_0: 'http.extraHeader',
  GIT_CONFIG_VALUE_0: `Authorization: Basic ${Buffer.from(`x-access-token:${token}`).toString('base64')}`,
});
