import { createHmac } from 'node:crypto';
import { config } from './config.ts';

const sign = (body: string) => createHmac('sha256', process.env.COURIER_SECRET ?? '').update(body).digest('hex');

export async function post(url: string, body: string, { insecure = false } = {}): Promise<boolean> {
  if (!insecure && !url.startsWith('https:')) throw new Error('the endpoint has no TLS');
  const response = await fetch(url, {
    method: 'POST',
    body,
    headers: { 'x-courier-signature': sign(body) },
    signal: AbortSignal.timeout(config.timeoutSeconds * 1000),
  });
  return response.ok;
}
