import { setTimeout as delay } from 'node:timers/promises';
import type { Request, Response } from 'express';

const streamPauseMs = 500;

/** Two events with a pause: a client behind a proxy sees whether the proxy passes on the host, the scheme, and a stream without a delay. */
export async function sendStream(request: Request, response: Response): Promise<void> {
  const scheme = request.get('x-forwarded-proto') ?? request.protocol;
  response.set({ 'Content-Type': 'text/event-stream', 'Cache-Control': 'no-store' });
  response.write(`data: ${JSON.stringify({ host: request.get('host'), scheme })}\n\n`);
  await delay(streamPauseMs);
  response.end('data: {}\n\n');
}
