import { createHash } from 'node:crypto';
import { pause } from '../../../pause.ts';
import { inTransaction, type Store } from '../../../store/store.ts';
import { keepAnswer, takeIdempotencyKey } from '../../../store/tables/access/idempotency-keys.ts';
import type { Timing } from '../../../timing.ts';
import { HttpProblem } from '../../problem.ts';
import type { ApiRequest, Call, JsonReply } from './project-route.ts';

/** The content of a request. Another content with the same Idempotency-Key is refused. */
interface RequestContent {
  /** The route, and the job that it names. */
  target: string;
  /** The checked body: the order of its members and white space make no difference. */
  body: object;
  keyWaits: Timing['idempotency'];
}

/**
 * Runs `accept` once for each Idempotency-Key of a project, in the transaction that keeps its answer; later requests get that answer. A request
 * waits for another one with its key, without a connection to the database.
 * https://datatracker.ietf.org/doc/html/draft-ietf-httpapi-idempotency-key-header-07
 */
export async function acceptOncePerKey(
  call: Call,
  { target, body, keyWaits }: RequestContent,
  accept: (store: Store) => Promise<JsonReply>,
): Promise<JsonReply> {
  const key = readIdempotencyKey(call.request);
  if (key === undefined) return call.withDeadline(accept);
  const fingerprint = createHash('sha256')
    .update(JSON.stringify([target, body]))
    .digest();
  const { projectId } = call;

  const tryOnce = ({ database, queue }: Store) =>
    inTransaction({ database, queue }, async ({ tx }): Promise<JsonReply> => {
      const look = () => takeIdempotencyKey(tx, { projectId, key });
      const taken = await look();
      if (taken.kind === 'busy') throw new KeyTaken();
      if (taken.kind === 'answered') {
        if (!taken.fingerprint.equals(fingerprint)) throw reused();
        return { ...taken.answer, headers: { ...taken.answer.headers, 'Idempotency-Replayed': 'true' } };
      }
      const reply = await accept({ database: tx, queue }).catch(async (error: unknown) => {
        // What was accepted meanwhile may be why this one is refused.
        throw error instanceof HttpProblem && (await look()).kind === 'answered' ? new KeyTaken() : error;
      });
      const isKept = await keepAnswer(tx, { projectId, key }, { fingerprint, answer: toAnswer(reply) });
      if (!isKept) throw new KeyTaken();
      return reply;
    });

  const { waitMs, firstRetryMs, longestRetryMs } = keyWaits;
  const deadline = performance.now() + waitMs;
  for (let retryMs = firstRetryMs; ; retryMs = Math.min(2 * retryMs, longestRetryMs)) {
    try {
      return await call.withDeadline(tryOnce);
    } catch (error) {
      if (!(error instanceof KeyTaken)) throw error;
    }
    if (performance.now() + retryMs > deadline) throw inUse();
    await pause(retryMs, call.left);
  }
}

/** Another request with the key is in progress, or was accepted meanwhile. Rolls this one back; a later try gets the answer. */
class KeyTaken extends Error {
  override readonly name = 'KeyTaken';
}

/** Undefined: the request has none. Node joins repeated headers by a comma and a space, which the form refuses. */
function readIdempotencyKey({ headers }: ApiRequest): string | undefined {
  const key = headers['idempotency-key'];
  if (key === undefined) return undefined;
  if (typeof key === 'string' && /^[\x21-\x7e]{1,255}$/.test(key)) return key;
  throw new HttpProblem(
    'invalid-request',
    'Invalid request: the header Idempotency-Key must have 1 to 255 visible ASCII characters, and be sent once.',
  );
}

/** Leaves out the quota, which is out of date later. */
const toAnswer = ({ status, headers: { Location } = {}, body }: JsonReply) => ({
  status,
  headers: Location === undefined ? {} : { Location },
  body,
});

const reused = () =>
  new HttpProblem(
    'idempotency-key-reused',
    'This Idempotency-Key belongs to another request. Send a new request with a new key.',
  );

const inUse = () =>
  new HttpProblem(
    'idempotency-key-in-use',
    'The first request with this Idempotency-Key is still in progress. Send this one again in a few seconds.',
    { headers: { 'Retry-After': '5' } },
  );
