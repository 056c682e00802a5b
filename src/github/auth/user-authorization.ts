import { createHash } from 'node:crypto';
import { deleteToken, exchangeWebFlowCode } from '@octokit/oauth-methods';
import { z } from 'zod';
import type { Person } from '../calls/people-calls.ts';
import { createConnection } from '../client/connection.ts';
import type { Transport } from '../client/transport.ts';
import type { Secrets } from './open-access.ts';

/** `refused`: the code is wrong, used or expired, or belongs to another browser. */
type Identified = { kind: 'person'; person: Person } | { kind: 'refused'; error: string };

export type SignInCredentialsState = 'accepted' | 'refused' | 'unknown';

export type UserAuthorization = ReturnType<typeof createUserAuthorization>;

const userSchema = z.object({ id: z.number(), login: z.string() });
const refusalSchema = z.object({ error: z.string(), error_description: z.string().default('') });
/** All other errors are mistakes of the configuration. */
const expectedErrors = ['bad_verification_code', 'unverified_user_email'];

/**
 * Identifies a person by the App's user authorization with PKCE. The person's token is used once, for that, and revoked.
 * https://docs.github.com/en/apps/creating-github-apps/authenticating-with-a-github-app/generating-a-user-access-token-for-a-github-app
 */
export function createUserAuthorization(
  parts: Transport & {
    clientId: string;
    clientSecret: string;
    webUrl: string;
    secrets: Secrets;
    /** A token could not be revoked: it expires within eight hours, and nothing has kept it. */
    onUnrevoked?: (error: unknown) => void;
  },
) {
  const { clientId, clientSecret, webUrl, secrets, onUnrevoked = () => {}, ...transport } = parts;
  const credentials = { clientType: 'github-app', clientId, clientSecret } as const;
  const connect = (signal: AbortSignal) => createConnection({ transport, authentication: 'none', signal });
  // The library derives the address of pages from that of the API, and has no case for every GitHub.
  const ofPages = { baseUrl: `${webUrl}/api/v3` };

  type Exchanged = { token: string } | { error: string };

  function exchange(
    { code, verifier, callbackUrl }: { code: string; verifier: string; callbackUrl: string },
    signal: AbortSignal,
  ): Promise<Exchanged> {
    return connect(signal).write<Exchanged>(
      'exchange the code of a sign-in',
      async ({ request }) => {
        const withVerifier = request.defaults({ ...ofPages, code_verifier: verifier });
        const options = { ...credentials, code, redirectUrl: callbackUrl, request: withVerifier };
        return { token: (await exchangeWebFlowCode(options)).authentication.token };
      },
      {
        // GitHub answers errors with 200.
        200: ({ data }, cause) => {
          const { error = '', error_description: description } = refusalSchema.safeParse(data).data ?? {};
          if (expectedErrors.includes(error)) return { error };
          throw new Error(`could not exchange the code of a sign-in: ${error}: ${description}`, { cause });
        },
      },
    );
  }

  function revoke(token: string): Promise<unknown> {
    // Not with the request's signal: the person may have left.
    const signal = new AbortController().signal;
    return connect(signal)
      .write('revoke the token of a sign-in', ({ request }) => deleteToken({ ...credentials, token, request }), {
        404: () => undefined,
        422: () => undefined,
      })
      .catch(onUnrevoked);
  }

  return {
    /** The page on which GitHub asks the person. It sends them back to `callbackUrl` with a code and the state. */
    formatUrl({ state, verifier, callbackUrl }: { state: string; verifier: string; callbackUrl: string }): string {
      const url = new URL(`${webUrl}/login/oauth/authorize`);
      // https://www.rfc-editor.org/rfc/rfc7636#section-4.3
      const challenge = createHash('sha256').update(verifier).digest('base64url');
      const query = { client_id: clientId, redirect_uri: callbackUrl, state, code_challenge: challenge };
      url.search = new URLSearchParams({ ...query, code_challenge_method: 'S256' }).toString();
      return url.href;
    },

    /**
     * Asks with a code that nobody was given: GitHub checks the client first.
     * https://docs.github.com/en/apps/oauth-apps/maintaining-oauth-apps/troubleshooting-oauth-app-access-token-request-errors
     */
    async checkCredentials(signal: AbortSignal): Promise<SignInCredentialsState> {
      const url = `${webUrl}/login/oauth/access_token`;
      const body = JSON.stringify({ client_id: clientId, client_secret: clientSecret, code: 'doctor' });
      const headers = { accept: 'application/json', 'content-type': 'application/json' };
      const response = await (transport.fetch ?? fetch)(url, { method: 'POST', headers, body, signal });
      const { error } = refusalSchema.safeParse(await response.json().catch(() => undefined)).data ?? {};
      if (error === 'bad_verification_code') return 'accepted';
      return error === 'incorrect_client_credentials' ? 'refused' : 'unknown';
    },

    /** Throws `GitHubUnavailable` and `AmbiguousWrite` when GitHub fails; any other error is a mistake of the configuration. */
    async identify(
      request: { code: string; verifier: string; callbackUrl: string },
      signal: AbortSignal,
    ): Promise<Identified> {
      const exchanged = await exchange(request, signal);
      if ('error' in exchanged) return { kind: 'refused', error: exchanged.error };
      const { token } = exchanged;
      secrets.hide(token);
      try {
        const asPerson = createConnection({ transport, authentication: { token }, signal });
        const { id, login } = await asPerson.read('read who signs in', async ({ rest }) =>
          userSchema.parse((await rest.users.getAuthenticated()).data),
        );
        return { kind: 'person', person: { login, userId: id } };
      } finally {
        await revoke(token);
        secrets.forget(token);
      }
    },
  };
}
