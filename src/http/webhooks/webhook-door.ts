import { createHmac, type Hmac, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Probot } from 'probot';
import { webhookPath } from '../../config/webhook-path.ts';
import type { Log } from '../../log.ts';

/** GitHub sends nothing larger: https://docs.github.com/en/webhooks/webhook-events-and-payloads#payload-cap */
const maxBodyBytes = 25 * 1024 * 1024;
/** Of all bodies together: anybody can send some, and whose they are is known only at their end. */
const defaultMaxTotalBytes = 100 * 1024 * 1024;
const retryAfterSeconds = '10';
/** GitHub gives up after 10 s: who is slower than this is not GitHub. */
const bodyTimeoutMs = 10_000;

/** Why a delivery is refused. Nothing of it is read further, and nothing of it reaches a log. */
class Refusal extends Error {
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

/**
 * The door for GitHub's webhooks: judges headers and size before it reads a body, the signature before anything is put together or
 * parsed, then lets Probot run the handlers. 202: it is stored. 503: it was not, or the bodies that are being taken in have
 * `maxTotalBytes` already. Stands in front of Probot's own middleware, which buffers bodies of any size.
 */
export function createWebhookDoor({
  probot,
  secret,
  log,
  maxTotalBytes = defaultMaxTotalBytes,
}: {
  probot: Probot;
  secret: string;
  log: Log;
  maxTotalBytes?: number;
}) {
  let totalBytes = 0;
  return async (request: IncomingMessage, response: ServerResponse): Promise<boolean> => {
    if (request.url?.split('?', 1)[0]?.replace(/\/+$/, '') !== webhookPath) return false;
    let ownBytes = 0;
    const takeRoom = (bytes: number) => {
      if (totalBytes + bytes > maxTotalBytes) throw new Refusal(503, 'too much is being taken in: deliver it again');
      totalBytes += bytes;
      ownBytes += bytes;
    };
    try {
      const { name, deliveryId, signature } = readHeaders(request);
      const hmac = createHmac('sha256', secret);
      const body = await readBody(request, { hmac, takeRoom });
      if (!isSignedBy(hmac, signature)) throw new Refusal(401, 'the signature is wrong: check the webhook secret');
      await probot.webhooks.receive({ id: deliveryId, name, payload: parse(Buffer.concat(body)) } as Parameters<
        typeof probot.webhooks.receive
      >[0]);
      answer(response, 202, 'stored');
    } catch (error) {
      if (error instanceof Refusal) refuse(response, error);
      else {
        log.error({ err: error, deliveryId: request.headers['x-github-delivery'] }, 'a delivery could not be stored');
        answer(response, 503, 'the delivery could not be stored: deliver it again');
      }
    } finally {
      totalBytes -= ownBytes;
    }
    return true;
  };
}

function readHeaders(request: IncomingMessage) {
  if (request.method !== 'POST') throw new Refusal(405, 'webhooks are sent with POST');
  if (!request.headers['content-type']?.startsWith('application/json')) {
    throw new Refusal(415, 'set the content type of the webhook to application/json');
  }
  if (Number(request.headers['content-length'] ?? 0) > maxBodyBytes) throw tooLarge();
  const [name, deliveryId, signature] = ['x-github-event', 'x-github-delivery', 'x-hub-signature-256'].map((header) => {
    const value = request.headers[header];
    if (typeof value !== 'string' || value === '' || value.length > 200)
      throw new Refusal(400, `the header ${header} is missing`);
    return value;
  });
  return { name: name ?? '', deliveryId: deliveryId ?? '', signature: signature ?? '' };
}

/** In the pieces in which it came, each of which `hmac` has seen. */
async function readBody(
  request: IncomingMessage,
  { hmac, takeRoom }: { hmac: Hmac; takeRoom: (bytes: number) => void },
): Promise<Buffer[]> {
  const chunks: Buffer[] = [];
  let size = 0;
  const late = setTimeout(() => request.destroy(), bodyTimeoutMs);
  try {
    // Whoever is refused on the way is told so: the answer would be lost with the connection.
    for await (const chunk of request.iterator({ destroyOnReturn: false })) {
      size += chunk.length;
      if (size > maxBodyBytes) throw tooLarge();
      takeRoom(chunk.length);
      hmac.update(chunk);
      chunks.push(chunk);
    }
  } catch (error) {
    throw error instanceof Refusal ? error : new Refusal(400, 'the body did not arrive whole');
  } finally {
    clearTimeout(late);
  }
  return chunks;
}

/** https://docs.github.com/en/webhooks/using-webhooks/validating-webhook-deliveries */
function isSignedBy(hmac: Hmac, signature: string): boolean {
  const [expected, given] = [Buffer.from(`sha256=${hmac.digest('hex')}`), Buffer.from(signature)];
  return expected.length === given.length && timingSafeEqual(expected, given);
}

function parse(body: Buffer): object {
  try {
    const payload: unknown = JSON.parse(body.toString('utf8'));
    if (typeof payload === 'object' && payload !== null && !Array.isArray(payload)) return payload;
  } catch {
    // Answered below: the text of the error would show the body.
  }
  throw new Refusal(400, 'the body is no JSON object');
}

const tooLarge = () => new Refusal(413, 'the body is larger than 25 MB');

function refuse(response: ServerResponse, { status, message }: Refusal): void {
  if (status === 405) response.setHeader('allow', 'POST');
  if (status === 503) response.setHeader('retry-after', retryAfterSeconds);
  // The rest of a body that was not read must not be taken for the next request.
  response.setHeader('connection', 'close');
  answer(response, status, message);
}

function answer(response: ServerResponse, status: number, message: string): void {
  if (response.destroyed) return;
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify({ message }));
}
