// Receives webhooks of Pagewright and verifies them. Node runs it as it is: node receive-webhooks.ts
// npm install standardwebhooks
import { createServer, type IncomingMessage } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { Webhook, WebhookVerificationError } from 'standardwebhooks';

interface Told {
  type: string;
  timestamp: string;
  /** `webhook.test` has no job. */
  data: { job?: { id: string; prLink: string | null } };
}

const { WEBHOOK_SIGNING_SECRET = '', RECEIVER_PORT = '8080' } = process.env;
const webhook = new Webhook(WEBHOOK_SIGNING_SECRET);
const maxBytes = 1024 * 1024;
/** A webhook may arrive twice. A program that may restart keeps these ids in its database. */
const seen = new Set<string>();

/** Throws `WebhookVerificationError` unless the body was signed with the secret within the last five minutes. */
async function receive(request: IncomingMessage): Promise<void> {
  if (Number(request.headers['content-length'] ?? Number.NaN) > maxBytes)
    throw new WebhookVerificationError('too large');
  // The bytes as they came: JSON that was parsed and written again has another signature.
  const body = await buffer(request);
  const headers = Object.fromEntries(Object.entries(request.headers).map(([name, value]) => [name, String(value)]));
  const told = webhook.verify(body.toString(), headers) as Told;
  const id = String(request.headers['webhook-id']);
  if (seen.has(id)) return;
  seen.add(id);
  console.log(told.type, told.data.job?.id ?? '', told.data.job?.prLink ?? '');
}

// Answer within ten seconds: do what takes longer after the answer.
const server = createServer((request, response) => {
  receive(request).then(
    () => response.writeHead(204).end(),
    (error) => response.writeHead(error instanceof WebhookVerificationError ? 401 : 500).end(),
  );
});
server.listen(Number(RECEIVER_PORT), () => {
  const address = server.address();
  console.log(`listening on port ${typeof address === 'object' ? address?.port : address}`);
});
