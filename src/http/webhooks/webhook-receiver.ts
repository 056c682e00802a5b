import { createHmac, randomUUID, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Probot } from 'probot';
import { ZodError, z } from 'zod';
import { webhookPath } from '../../config/urls.ts';
import { findEvent } from '../../deliveries/events.ts';
import { everyPayload } from '../../deliveries/github-event.ts';
import type { Log } from '../../log.ts';
import { type RunTask, runInline } from '../../threads/threads.ts';
import { realTiming } from '../../timing.ts';
import { bodyLimits } from '../bodies/body-budget.ts';
import { type ReadBody, requireJson, requireRead } from '../bodies/read-body.ts';
import { HttpProblem, sendProblem } from '../problem.ts';
import { readPayloadTask } from './read-payload.ts';

/** Probot cannot make its context for an installation without a number. */
const payloadShape = z.looseObject({ installation: z.object({ id: z.number() }).loose().nullish() });

/**
 * Receives GitHub's webhooks: checks the headers before it reads the body, and the signature before it parses the body. Then Probot's handlers
 * store the delivery. Answers 202 if it is stored, and 503 if it is not. Mount it before Probot's own middleware, which buffers bodies of any
 * size.
 */
export function createWebhookReceiver(options: {
  probot: Probot;
  secret: string;
  log: Log;
  readBody: ReadBody;
  /** Parses large bodies in a thread; by default inline. */
  runTask?: RunTask;
}) {
  const { probot, secret, log, readBody, runTask = runInline } = options;
  /** The payload, if GitHub signed it. https://docs.github.com/en/webhooks/using-webhooks/validating-webhook-deliveries */
  async function readSigned(
    request: IncomingMessage,
    response: ServerResponse,
    { name, signature }: { name: string; signature: Buffer },
  ): Promise<object> {
    const hmac = createHmac('sha256', secret);
    using body = await readBody(request, response, {
      maxBytes: bodyLimits.webhook,
      onPart: (part) => void hmac.update(part),
    });
    if (!timingSafeEqual(hmac.digest(), signature)) throw wronglySigned();
    // A thread gets a copy: the body's memory is reused for the next one.
    const read = await runTask(
      readPayloadTask,
      { bytes: new Uint8Array(body.bytes), kept: findEvent(name)?.kept ?? everyPayload },
      AbortSignal.timeout(realTiming.http.bodyMs),
    );
    const payload = payloadShape.safeParse(requireRead(read));
    if (payload.success) return payload.data;
    throw new HttpProblem('invalid-request', 'The body is not a payload of GitHub.');
  }

  return async (request: IncomingMessage, response: ServerResponse): Promise<boolean> => {
    if (request.url?.split('?', 1)[0]?.replace(/(?<!\/)\/+$/, '') !== webhookPath) return false;
    const requestId = randomUUID();
    try {
      const { name, deliveryId, signature } = readHeaders(request);
      const payload = await readSigned(request, response, { name, signature });
      await probot.webhooks.receive({ id: deliveryId, name, payload } as Parameters<typeof probot.webhooks.receive>[0]);
      response.writeHead(202, { 'content-type': 'application/json' }).end(JSON.stringify({ message: 'stored' }));
    } catch (error) {
      if (error instanceof HttpProblem) sendProblem(response, error, requestId);
      else {
        const deliveryId = request.headers['x-github-delivery'];
        log.error({ err: error, deliveryId, requestId }, 'a delivery could not be stored');
        sendProblem(response, notStored(error), requestId);
      }
    }
    return true;
  };
}

function readHeaders(request: IncomingMessage) {
  if (request.method !== 'POST')
    throw new HttpProblem('method-not-allowed', 'Send webhooks with POST.', { headers: { Allow: 'POST' } });
  requireJson(request);
  const signature = /^sha256=([\da-f]{64})$/.exec(readHeader(request, 'x-hub-signature-256'))?.[1];
  if (signature === undefined) throw wronglySigned();
  return {
    name: readHeader(request, 'x-github-event'),
    deliveryId: readHeader(request, 'x-github-delivery'),
    signature: Buffer.from(signature, 'hex'),
  };
}

function readHeader({ headers }: IncomingMessage, name: string): string {
  const value = headers[name];
  if (typeof value === 'string' && value !== '' && value.length <= 200) return value;
  throw new HttpProblem('invalid-request', `The header ${name} is missing or not valid.`);
}

const wronglySigned = () => new HttpProblem('unauthorized', 'The signature is not valid: check the webhook secret.');

/** Probot collects the errors of its handlers. The same payload would fail again. */
const isMalformed = (error: unknown) =>
  error instanceof AggregateError && error.errors.some((one) => one instanceof ZodError);

const notStored = (cause: unknown) =>
  isMalformed(cause)
    ? new HttpProblem('invalid-request', 'The payload is not as GitHub describes it.', { cause })
    : new HttpProblem('unavailable', 'The delivery could not be stored. Redeliver it.', {
        headers: { 'Retry-After': '10' },
        cause,
      });
