import { createHmac, type Hmac, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Probot } from 'probot';
import { webhookPath } from '../../config/urls.ts';
import type { Log } from '../../log.ts';
import { realTiming } from '../../timing.ts';

/** GitHub sends nothing larger: https://docs.github.com/en/webhooks/webhook-events-and-payloads#payload-cap */
const maxBodyBytes = 25 * 1024 * 1024;
/** Limits the bodies in memory: anybody can send one, and its signature can be checked only when it is complete. */
const defaultMaxTotalBytes = 100 * 1024 * 1024;
const retryAfterSeconds = '10';

/** Ends a request without reading the rest of its body and without logging any of it. */
class Refusal extends Error {
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

/**
 * Receives GitHub's webhooks: checks the headers and the size before it reads the body, and the signature before it parses the body. Then
 * Probot's handlers store the delivery. Answers 202 if it is stored; 503 if it is not, or if the bodies being read exceed `maxTotalBytes`.
 * Mount it before Probot's own middleware, which buffers bodies of any size.
 */
export function createWebhookReceiver({
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
      if (totalBytes + bytes > maxTotalBytes) throw new Refusal(503, 'too many deliveries at once: redeliver this one');
      totalBytes += bytes;
      ownBytes += bytes;
    };
    try {
      const { name, deliveryId, signature } = readHeaders(request);
      const hmac = createHmac('sha256', secret);
      const body = await readBody(request, { hmac, takeRoom });
      if (!isSignedBy(hmac, signature)) throw new Refusal(401, 'the signature is not valid: check the webhook secret');
      await probot.webhooks.receive({ id: deliveryId, name, payload: parse(Buffer.concat(body)) } as Parameters<
        typeof probot.webhooks.receive
      >[0]);
      answer(response, 202, 'stored');
    } catch (error) {
      if (error instanceof Refusal) refuse(response, error);
      else {
        log.error({ err: error, deliveryId: request.headers['x-github-delivery'] }, 'a delivery could not be stored');
        answer(response, 503, 'the delivery could not be stored: redeliver it');
      }
    } finally {
      totalBytes -= ownBytes;
    }
    return true;
  };
}

function readHeaders(request: IncomingMessage) {
  if (request.method !== 'POST') throw new Refusal(405, 'send webhooks with POST');
  if (!request.headers['content-type']?.startsWith('application/json')) {
    throw new Refusal(415, 'set the content type of the webhook to application/json');
  }
  if (Number(request.headers['content-length'] ?? 0) > maxBodyBytes) throw tooLarge();
  const [name, deliveryId, signature] = ['x-github-event', 'x-github-delivery', 'x-hub-signature-256'].map((header) => {
    const value = request.headers[header];
    if (typeof value !== 'string' || value === '' || value.length > 200)
      throw new Refusal(400, `the header ${header} is missing or not valid`);
    return value;
  });
  return { name: name ?? '', deliveryId: deliveryId ?? '', signature: signature ?? '' };
}

/** Returns the body in chunks, after updating `hmac` with each. */
async function readBody(
  request: IncomingMessage,
  { hmac, takeRoom }: { hmac: Hmac; takeRoom: (bytes: number) => void },
): Promise<Buffer[]> {
  const chunks: Buffer[] = [];
  let size = 0;
  const late = setTimeout(() => request.destroy(), realTiming.deliveries.bodyTimeoutMs);
  try {
    // Keeps the connection open for the answer to a refused body.
    for await (const chunk of request.iterator({ destroyOnReturn: false })) {
      size += chunk.length;
      if (size > maxBodyBytes) throw tooLarge();
      takeRoom(chunk.length);
      hmac.update(chunk);
      chunks.push(chunk);
    }
  } catch (error) {
    throw error instanceof Refusal ? error : new Refusal(400, 'the body is incomplete');
  } finally {
    clearTimeout(late);
  }
  return chunks;
}

/** https://docs.github.com/en/webhooks/using-webhooks/validating-webhook-deliveries */
function isSignedBy(hmac: Hmac, signature: string): boolean {
  const [expected, sent] = [Buffer.from(`sha256=${hmac.digest('hex')}`), Buffer.from(signature)];
  return expected.length === sent.length && timingSafeEqual(expected, sent);
}

function parse(body: Buffer): object {
  try {
    const payload: unknown = JSON.parse(body.toString('utf8'));
    if (typeof payload === 'object' && payload !== null && !Array.isArray(payload)) return payload;
  } catch {
    // The error's message would show the body.
  }
  throw new Refusal(400, 'the body is not a JSON object');
}

const tooLarge = () => new Refusal(413, 'the body exceeds 25 MB');

function refuse(response: ServerResponse, { status, message }: Refusal): void {
  if (status === 405) response.setHeader('allow', 'POST');
  if (status === 503) response.setHeader('retry-after', retryAfterSeconds);
  // Otherwise node would parse the unread rest of the body as the next request.
  response.setHeader('connection', 'close');
  answer(response, status, message);
}

function answer(response: ServerResponse, status: number, message: string): void {
  if (response.destroyed) return;
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify({ message }));
}
