import { createHmac } from 'node:crypto';
import { text } from 'node:stream/consumers';
import type { Request, Response } from 'express';
import { z } from 'zod';

export interface Relayed {
  event: string;
  /** Byte for byte as emulate sent and signed it. */
  isUntouched: boolean;
  status: number;
}

const aboutIssue = z.looseObject({ issue: z.looseObject({ number: z.number() }) });
const aboutPull = z.looseObject({ pull_request: z.looseObject({ number: z.number() }) });

/**
 * Passes emulate's webhooks on as they are. Only those of comments on pull requests are changed and signed anew: emulate does not tell that the issue is a
 * pull request, without which no comment means anything to us.
 */
export function createDeliveryRelay({ secret }: { secret: string }) {
  const delivered: Relayed[] = [];
  let target = '';
  const pulls = new Set<number>();

  async function handle(request: Request, response: Response): Promise<void> {
    const told = await text(request);
    const event = request.get('x-github-event') ?? '';
    if (event === 'pull_request') pulls.add(aboutPull.parse(JSON.parse(told)).pull_request.number);
    const comment = event === 'issue_comment' ? aboutIssue.parse(JSON.parse(told)) : undefined;
    const about = comment && pulls.has(comment.issue.number) ? comment : undefined;
    const body = about ? JSON.stringify({ ...about, issue: { ...about.issue, pull_request: {} } }) : told;
    const signature = about
      ? `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`
      : (request.get('x-hub-signature-256') ?? '');
    const headers = {
      'content-type': 'application/json',
      'x-github-event': event,
      'x-github-delivery': request.get('x-github-delivery') ?? '',
      'x-hub-signature-256': signature,
    };
    const { status } = await fetch(target, { method: 'POST', headers, body });
    delivered.push({ event, isUntouched: about === undefined, status });
    response.status(status).end();
  }

  return {
    handle,
    delivered: delivered as readonly Relayed[],
    setTarget(url: string): void {
      target = url;
    },
  };
}
