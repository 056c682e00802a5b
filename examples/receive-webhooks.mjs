// Receives webhooks of Pagewright and verifies them. Runs on Node.js 20 and later: node receive-webhooks.mjs
// npm install standardwebhooks
import { createServer } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { Webhook, WebhookVerificationError } from 'standardwebhooks';

const { WEBHOOK_SIGNING_SECRET = '', RECEIVER_PORT = '8080' } = process.env;
const webhook = new Webhook(WEBHOOK_SIGNING_SECRET);
const maxBytes = 1024 * 1024;
/** A webhook may arrive twice. A program that may restart keeps these ids in its database. */
const seen = new Set();

/** Throws `WebhookVerificationError` unless the body was signed with the secret within the last five minutes. */
async function receive(request) {
  if (Number(request.headers['content-length'] ?? Number.NaN) > maxBytes)
    throw new WebhookVerificationError('too large');
  // The bytes as they came: JSON that was parsed and written again has another signature.
  const body = await buffer(request);
  const headers = Object.fromEntries(Object.entries(request.headers).map(([name, value]) => [name, String(value)]));
  // `webhook.test` has no job.
  const told = webhook.verify(body.toString(), headers);
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
