import { z } from 'zod';
import { notFound, validationFailed } from '../api/api-error.ts';
import { findPersonOfToken } from '../apps/user-authorization.ts';
import { presentProfile } from '../json/present.ts';
import { findAccount } from '../state/accounts.ts';
import { ok, onApi, parseBody, type Route } from './route.ts';

const tokenBody = z.object({ access_token: z.string() });

/** People, and the tokens that they authorized: https://docs.github.com/en/rest/apps/oauth-applications */
export const userRoutes: Route[] = [
  onApi.get('/users/:login', 'anyone', ({ world, params }) => {
    const account = findAccount(world, params.login ?? '');
    if (!account) throw notFound();
    return ok(presentProfile(world, account));
  }),
  onApi.get('/user', 'user', ({ world, caller }) => {
    if (caller.kind !== 'user') throw notFound();
    return ok(presentProfile(world, caller.person));
  }),
  onApi.delete('/applications/:client_id/token', 'client', ({ world, params, body }) => {
    if (params.client_id !== world.app?.clientId) throw notFound();
    const { access_token: token } = parseBody(tokenBody, body);
    if (!findPersonOfToken(world, token)) {
      throw validationFailed({ resource: 'OauthAccess', code: 'invalid', field: 'access_token' });
    }
    world.userTokens.delete(token);
    return { status: 204 };
  }),
];
