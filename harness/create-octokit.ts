import { createAppAuth } from '@octokit/auth-app';
import { Octokit } from '@octokit/rest';

/** A silent API client with the tokens of one installation. */
export function createOctokit(
  { github, environment }: { github: { apiUrl: string }; environment: Record<string, string> },
  installationId: number,
): Octokit {
  const { APP_ID: appId = '', PRIVATE_KEY: privateKey = '' } = environment;
  return new Octokit({
    baseUrl: github.apiUrl,
    authStrategy: createAppAuth,
    auth: { appId, privateKey, installationId },
    log: { debug() {}, info() {}, warn() {}, error() {} },
  });
}
