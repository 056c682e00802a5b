import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Probot } from 'probot';
import { webhookPath } from '../config/webhook-path.ts';
import type { Log } from '../log.ts';

/** GitHub sends nothing larger: https://docs.github.com/en/webhooks/webhook-events-and-payloads#payload-cap */
const maxBodyBytes = 25 * 1024 * 1024;
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
 * The door for GitHub's webhooks: judges headers and size before it reads a body, the signature before anything is parsed, then
 * lets Probot run the handlers. 202: it is stored. Stands in front of Probot's own middleware, which buffers bodies of any size.
 */
export function createWebhookDoor({ probot, log }: { probot: Probot; log: Log }) {
  return async (request: IncomingMessage, response: ServerResponse): Promise<boolean> => {
    if (request.url?.split('?', 1)[0]?.replace(/\/+$/, '') !== webhookPath) return false;
    try {
      const { name, deliveryId, signature } = readHeaders(request);
      const body = await readBody(request);
      const isGenuine = await probot.webhooks.verify(body, signature).catch(() => false);
      if (!isGenuine) throw new Refusal(401, 'the signature is wrong: check the webhook secret');
      await probot.webhooks.receive({ id: deliveryId, name, payload: parse(body) } as Parameters<
        typeof probot.webhooks.receive
      >[0]);
      answer(response, 202, 'stored');
    } catch (error) {
      if (error instanceof Refusal) refuse(response, error);
      else {
        log.error({ err: error, deliveryId: request.headers['x-github-delivery'] }, 'a delivery could not be stored');
        answer(response, 503, 'the delivery could not be stored: deliver it again');
      }
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

async function readBody(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  const late = setTimeout(() => request.destroy(), bodyTimeoutMs);
  try {
    for await (const chunk of request) {
      size += chunk.length;
      if (size > maxBodyBytes) throw tooLarge();
      chunks.push(chunk);
    }
  } catch (error) {
    throw error instanceof Refusal ? error : new Refusal(400, 'the body did not arrive whole');
  } finally {
    clearTimeout(late);
  }
  return Buffer.concat(chunks).toString('utf8');
}

function parse(body: string): object {
  try {
    const payload: unknown = JSON.parse(body);
    if (typeof payload === 'object' && payload !== null && !Array.isArray(payload)) return payload;
  } catch {
    // Answered below: the text of the error would show the body.
  }
  throw new Refusal(400, 'the body is no JSON object');
}

const tooLarge = () => new Refusal(413, 'the body is larger than 25 MB');

function refuse(response: ServerResponse, { status, message }: Refusal): void {
  if (status === 405) response.setHeader('allow', 'POST');
  // The rest of a body that was not read must not be taken for the next request.
  response.setHeader('connection', 'close');
  answer(response, status, message);
}

function answer(response: ServerResponse, status: number, message: string): void {
  if (response.destroyed) return;
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify({ message }));
}
