import { verify } from 'node:crypto';
import { z } from 'zod';
import { ApiError } from '../api/api-error.ts';
import { requireApp } from '../apps/require-app.ts';
import type { World } from '../state/world.ts';

const header = z.object({ alg: z.literal('RS256') });
const claims = z.object({
  iat: z.number().int(),
  exp: z.number().int(),
  iss: z.union([z.string(), z.number()]).transform(String),
});

const longestSeconds = 10 * 60;
const driftSeconds = 60;

/**
 * Throws unless the text is a JSON Web Token of this App: RS256 with its key, not issued in the future, valid for at most ten minutes.
 * https://docs.github.com/en/apps/creating-github-apps/authenticating-with-a-github-app/generating-a-json-web-token-jwt-for-a-github-app
 */
export function verifyAppJwt(world: World, jwt: string): void {
  const [head = '', body = '', signature = ''] = jwt.split('.');
  const parsed = claims.safeParse(decodePart(body));
  if (!header.safeParse(decodePart(head)).success || !parsed.success) throw undecodable();
  const { iat, exp, iss } = parsed.data;
  const app = requireApp(world);
  if (iss !== String(app.id) && iss !== app.clientId) throw new ApiError(404, 'Integration not found');
  if (!verify('sha256', Buffer.from(`${head}.${body}`), app.publicKey, Buffer.from(signature, 'base64url'))) {
    throw undecodable();
  }
  const now = world.clock().getTime() / 1000;
  // @octokit/auth-app recognizes a wrong clock by these two texts and the Date header, and corrects it.
  if (iat > now + driftSeconds) {
    throw new ApiError(
      401,
      "'Issued at' claim ('iat') must be an Integer representing the time that the assertion was issued",
    );
  }
  if (exp <= now) {
    throw new ApiError(
      401,
      "'Expiration time' claim ('exp') must be a numeric value representing the future time at which the assertion expires",
    );
  }
  if (exp > now + longestSeconds + driftSeconds || exp - iat > longestSeconds + driftSeconds) {
    throw new ApiError(401, "'Expiration time' claim ('exp') is too far in the future");
  }
}

const undecodable = () => new ApiError(401, 'A JSON web token could not be decoded');

function decodePart(part: string): unknown {
  try {
    return JSON.parse(Buffer.from(part, 'base64url').toString());
  } catch {
    return undefined;
  }
}
