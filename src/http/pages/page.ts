import { createHash } from 'node:crypto';
import type { RequestHandler, Response } from 'express';
import helmet from 'helmet';
import { type Html, html } from './html.ts';

const css = `
:root{color-scheme:light dark;--line:#8886;--soft:#8881}
*{box-sizing:border-box}
body{margin:0 auto;max-width:42rem;padding:1.5rem 1.25rem 3rem;font:1rem/1.55 system-ui,sans-serif}
h1{font-size:1.5rem;line-height:1.25}h2{font-size:1.1rem;margin-top:2rem}
code,pre{font:.9em/1.5 ui-monospace,Menlo,Consolas,monospace;overflow-wrap:anywhere}
pre{background:var(--soft);border-radius:6px;padding:.7rem .9rem;white-space:pre-wrap}
fieldset,.notice{border:1px solid var(--line);border-radius:6px;margin:1rem 0;padding:.6rem 1rem 1rem}
.notice{border-left:4px solid #d4a72c;padding-bottom:.6rem}.wrong{border-left:4px solid #cf222e}
label,.choice{display:block;margin-top:.7rem}.choice label{display:inline}
input[type=text]{display:block;width:100%;font:inherit;padding:.45rem .6rem;border:1px solid var(--line);border-radius:6px}
small{display:block;opacity:.8}
button,.button{display:inline-block;font:inherit;font-weight:600;padding:.55rem 1.2rem;border:0;border-radius:6px}
button,.button{background:#1a7f37;color:#fff;text-decoration:none;cursor:pointer}
table{border-collapse:collapse;width:100%;font-size:.9rem}th,td{text-align:left;vertical-align:top}
th,td{padding:.35rem .6rem .35rem 0;border-bottom:1px solid var(--line)}.wide{overflow-x:auto}h3{margin-top:2.2rem}
dt{font-weight:600;margin-top:.6rem}dd{margin:0;overflow-wrap:anywhere}
`;

/** For `style-src`. */
const hashStyles = (styles: string) => `'sha256-${createHash('sha256').update(styles).digest('base64')}'`;

/** The title is also the heading. */
export interface Page {
  status: number;
  title: string;
  body: Html;
}

/** Sends a page. `protect` adds its security headers. */
export function sendPage(response: Response, { status, title, body }: Page): void {
  const { html: text } = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title} · Pagewright</title>
<style>${{ html: css }}</style>
</head>
<body>
<main>
<h1>${title}</h1>
${body}
</main>
</body>
</html>
`;
  response.status(status).type('html').send(text);
}

/**
 * The security headers of every page: no scripts, no external resources, no framing, no caching, and only the origin in referrers. Forms, and
 * their redirects, may go to this service and to the origins in `formTargets`. `styles`: of a page with others than those of `sendPage`.
 */
export function protect(formTargets: readonly string[] = [], styles = css): RequestHandler[] {
  const headers = helmet({
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        defaultSrc: ["'none'"],
        styleSrc: [hashStyles(styles)],
        formAction: ["'self'", ...formTargets],
        baseUri: ["'none'"],
        frameAncestors: ["'none'"],
      },
    },
    referrerPolicy: { policy: 'strict-origin' },
    xFrameOptions: { action: 'deny' },
  });
  return [
    headers,
    (_request, response, next) => {
      response.set('Cache-Control', 'no-store');
      next();
    },
  ];
}
