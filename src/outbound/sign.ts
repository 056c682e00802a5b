import { randomBytes } from 'node:crypto';
import { Webhook as Signer } from 'standardwebhooks';

const secretBytes = 32;

/** https://github.com/standard-webhooks/standard-webhooks/blob/main/spec/standard-webhooks.md#signature-scheme */
export const generateSecret = (): string => `whsec_${randomBytes(secretBytes).toString('base64')}`;

/** The headers of Standard Webhooks, with one signature for each secret that is valid. */
export function signMessage(message: {
  messageId: string;
  body: string;
  secrets: readonly string[];
}): Record<string, string> {
  const { messageId, body, secrets } = message;
  const at = new Date();
  return {
    'content-type': 'application/json',
    'user-agent': 'Pagewright',
    'webhook-id': messageId,
    'webhook-timestamp': String(Math.floor(at.getTime() / 1_000)),
    'webhook-signature': secrets.map((secret) => new Signer(secret).sign(messageId, at, body)).join(' '),
  };
}
