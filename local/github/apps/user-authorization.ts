import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import type { Account } from '../state/account.ts';
import type { App, World } from '../state/world.ts';

const codeLifetimeMs = 10 * 60_000;
const tokenLifetimeSeconds = 8 * 60 * 60;
const refreshTokenLifetimeSeconds = 15_897_600;

/** An error of OAuth, with GitHub's texts: https://docs.github.com/en/apps/oauth-apps/maintaining-oauth-apps/troubleshooting-oauth-app-access-token-request-errors */
export interface OAuthError {
  error: string;
  error_description: string;
  error_uri: string;
}

const troubleshooting = 'https://docs.github.com/apps/managing-oauth-apps/troubleshooting';

const oauthError = (page: string, error: string, description: string): OAuthError => ({
  error,
  error_description: description,
  error_uri: `${troubleshooting}-${page}/#${error.replaceAll('_', '-')}`,
});

export const redirectMismatch = oauthError(
  'authorization-request-errors',
  'redirect_uri_mismatch',
  'The redirect_uri MUST match the registered callback URL for this application.',
);
export const accessDenied = oauthError(
  'authorization-request-errors',
  'access_denied',
  'The user has denied your application access.',
);
const badCode = oauthError(
  'oauth-app-access-token-request-errors',
  'bad_verification_code',
  'The code passed is incorrect or expired.',
);
const badClient = oauthError(
  'oauth-app-access-token-request-errors',
  'incorrect_client_credentials',
  'The client_id and/or client_secret passed are incorrect.',
);

export interface TokenRequest {
  client_id: string;
  client_secret: string;
  code: string;
  redirect_uri?: string | undefined;
  code_verifier?: string | undefined;
}

/** Issues a code, which lives for ten minutes, and is exchanged once. */
export function issueCode(
  world: World,
  request: { person: Account; redirectUri: string; codeChallenge: string | undefined },
): string {
  const code = randomBytes(10).toString('hex');
  world.userCodes.set(code, { ...request, expiresAt: new Date(world.clock().getTime() + codeLifetimeMs) });
  return code;
}

/** https://docs.github.com/en/apps/creating-github-apps/authenticating-with-a-github-app/generating-a-user-access-token-for-a-github-app */
export function exchangeCode(world: World, app: App, request: TokenRequest): OAuthError | Record<string, unknown> {
  if (!hasSecret(app, request.client_secret)) return badClient;
  const issued = world.userCodes.get(request.code);
  if (!issued || issued.expiresAt <= world.clock()) return badCode;
  if (request.redirect_uri !== undefined && request.redirect_uri !== issued.redirectUri) return redirectMismatch;
  world.userCodes.delete(request.code);
  if (issued.codeChallenge !== toChallenge(request.code_verifier)) return badCode;
  const token = `ghu_${randomBytes(18).toString('hex')}`;
  const expiresAt = new Date(world.clock().getTime() + tokenLifetimeSeconds * 1_000);
  world.userTokens.set(token, { person: issued.person, expiresAt });
  return {
    access_token: token,
    expires_in: tokenLifetimeSeconds,
    refresh_token: `ghr_${randomBytes(38).toString('hex')}`,
    refresh_token_expires_in: refreshTokenLifetimeSeconds,
    token_type: 'bearer',
    scope: '',
  };
}

/** The person of a live user token. */
export function findPersonOfToken(world: World, token: string): Account | undefined {
  const found = world.userTokens.get(token);
  return found && found.expiresAt > world.clock() ? found.person : undefined;
}

export function hasSecret({ clientSecret }: App, secret: string): boolean {
  const [expected, given] = [digest(clientSecret), digest(secret)];
  return clientSecret !== '' && timingSafeEqual(expected, given);
}

/**
 * The port of a loopback address may differ from the registered one:
 * https://docs.github.com/en/apps/oauth-apps/building-oauth-apps/authorizing-oauth-apps#loopback-redirect-urls
 */
export function isRegisteredCallback({ callbackUrls }: App, redirectUri: string): boolean {
  if (!URL.canParse(redirectUri)) return false;
  const asked = new URL(redirectUri);
  return callbackUrls.some((callback) => {
    const registered = new URL(callback);
    if (['127.0.0.1', '[::1]'].includes(asked.hostname)) registered.port = asked.port;
    return registered.href === asked.href;
  });
}

const toChallenge = (verifier: string | undefined): string | undefined =>
  verifier === undefined ? undefined : createHash('sha256').update(verifier).digest('base64url');

const digest = (text: string) => createHash('sha256').update(text).digest();
