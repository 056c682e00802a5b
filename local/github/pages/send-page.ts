import type { Request, Response } from 'express';
import { html } from './html.ts';
import { layout } from './layout.ts';

/** Limits where forms lead, redirects included: https://developer.mozilla.org/en-US/docs/Web/HTTP/Reference/Headers/Content-Security-Policy/form-action */
export function protectPage(response: Response, formTargets: string[] = []): void {
  const targets = ["'self'", ...formTargets.map((url) => new URL(url).origin)].join(' ');
  response.set({
    'content-security-policy': `default-src 'none'; style-src 'unsafe-inline'; form-action ${targets}; frame-ancestors 'none'`,
  });
}

export function sendNotice(response: Response, status: number, text: string): void {
  response.status(status).send(layout({ title: text, body: html`<h1>${text}</h1>` }));
}

/** Another site open in the same browser must not press these buttons. */
export function isFromHere(request: Request): boolean {
  const origin = request.get('origin');
  return origin === undefined || origin === `http://${request.get('host')}`;
}

/** Guards against DNS rebinding: https://en.wikipedia.org/wiki/DNS_rebinding */
export const isLoopback = (request: Request): boolean =>
  /^(127\.0\.0\.1|localhost|\[::1\])(:\d+)?$/.test(request.get('host') ?? '');
