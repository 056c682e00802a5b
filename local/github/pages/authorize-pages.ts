import express, { type Request, type Response, type Router } from 'express';
import { z } from 'zod';
import {
  accessDenied,
  exchangeCode,
  isRegisteredCallback,
  issueCode,
  type OAuthError,
  redirectMismatch,
} from '../apps/user-authorization.ts';
import { findAccount } from '../state/accounts.ts';
import type { World } from '../state/world.ts';
import { renderAuthorizeForm } from './app-forms.ts';
import { isFromHere, protectPage, sendNotice } from './send-page.ts';

const authorization = z.object({
  client_id: z.string(),
  redirect_uri: z.string().optional(),
  state: z.string().optional(),
  code_challenge: z.string().optional(),
  code_challenge_method: z.string().optional(),
});
const answer = authorization.extend({ as: z.string(), answer: z.enum(['authorize', 'deny']) });

const tokenRequest = z.object({
  client_id: z.string(),
  client_secret: z.string().default(''),
  code: z.string().default(''),
  redirect_uri: z.string().optional(),
  code_verifier: z.string().optional(),
});

/**
 * A person lets the App know who they are. The page offers the people of this stand-in to sign in as.
 * https://docs.github.com/en/apps/creating-github-apps/authenticating-with-a-github-app/generating-a-user-access-token-for-a-github-app
 */
export function createAuthorizePages(world: World): Router {
  const router = express.Router();
  const form = express.urlencoded({ extended: false });

  router.get('/login/oauth/authorize', (request, response) => {
    const asked = check(request.query, response, authorization);
    if (!asked) return;
    const { app, redirectUri, fields } = asked;
    protectPage(response, [redirectUri]);
    const people = [...world.accounts.values()].filter(({ type }) => type === 'User').map(({ login }) => login);
    response.send(renderAuthorizeForm(app, { people, fields: { ...fields, redirect_uri: redirectUri } }));
  });

  router.post('/login/oauth/authorize', form, (request, response) => {
    if (!isFromHere(request)) return sendNotice(response, 400, 'Bad request');
    const asked = check(request.body, response, answer);
    if (!asked) return;
    const { redirectUri, fields } = asked;
    const person = findAccount(world, fields.as);
    if (person?.type !== 'User') return sendNotice(response, 422, `There is no person ${fields.as}.`);
    protectPage(response, [redirectUri]);
    if (fields.answer === 'deny') return redirect(response, redirectUri, { ...accessDenied, state: fields.state });
    const code = issueCode(world, { person, redirectUri, codeChallenge: fields.code_challenge });
    redirect(response, redirectUri, { code, state: fields.state });
  });

  router.post('/login/oauth/access_token', form, express.json(), (request, response) => {
    const fields = tokenRequest.safeParse(request.body);
    if (!world.app || !fields.success || fields.data.client_id !== world.app.clientId) {
      return response.status(404).json({ error: 'Not Found' });
    }
    // 200, also for errors.
    sendToken(request, response, exchangeCode(world, world.app, fields.data));
  });
  return router;

  /** Shows why nobody can be asked, or sends the person back with GitHub's error. */
  function check<Shape extends typeof authorization>(input: unknown, response: Response, shape: Shape) {
    const parsed = shape.safeParse(input);
    const { app } = world;
    if (!parsed.success || !app || parsed.data.client_id !== app.clientId) {
      sendNotice(response, 404, 'Page not found.');
      return undefined;
    }
    const [firstCallback] = app.callbackUrls;
    const fields = parsed.data;
    const redirectUri = fields.redirect_uri ?? firstCallback;
    if (firstCallback === undefined || redirectUri === undefined) {
      sendNotice(response, 404, `${app.name} has no callback URL.`);
      return undefined;
    }
    if (!isRegisteredCallback(app, redirectUri)) {
      redirect(response, firstCallback, { ...redirectMismatch, state: fields.state });
      return undefined;
    }
    const isChallenged = fields.code_challenge !== undefined;
    if (isChallenged !== (fields.code_challenge_method === 'S256') || !isChallenge(fields.code_challenge)) {
      sendNotice(response, 400, 'The code challenge must be S256.');
      return undefined;
    }
    return { app, redirectUri, fields };
  }
}

/** https://www.rfc-editor.org/rfc/rfc7636#section-4.2 */
const isChallenge = (challenge: string | undefined): boolean =>
  challenge === undefined || /^[\w-]{43}$/.test(challenge);

function redirect(
  response: Response,
  target: string,
  query: OAuthError | { code: string; state?: string | undefined } | (OAuthError & { state?: string | undefined }),
): void {
  const url = new URL(target);
  for (const [name, value] of Object.entries(query)) if (value !== undefined) url.searchParams.set(name, value);
  response.redirect(302, url.href);
}

/** GitHub answers form-encoded unless JSON is asked for. */
function sendToken(request: Request, response: Response, body: object): void {
  if (request.accepts(['application/x-www-form-urlencoded', 'application/json']) === 'application/json') {
    response.json(body);
    return;
  }
  const encoded = new URLSearchParams(
    Object.entries(body).map(([name, value]): [string, string] => [name, String(value)]),
  );
  response.type('application/x-www-form-urlencoded').send(encoded.toString());
}
