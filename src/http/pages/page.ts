import { createHash } from 'node:crypto';
import type { RequestHandler, Response } from 'express';
import helmet from 'helmet';
import { type Html, html } from './html.ts';

/** Looks like the dashboard. These pages work without it, and load nothing. */
const css = `
:root{color-scheme:light dark;--canvas:light-dark(#fbfaf8,#101012);--page:light-dark(#fff,#17171a);--raised:light-dark(#f8f7f4,#1d1d21)}
:root{--ink:light-dark(#1c1b19,#ededf0);--soft:light-dark(#625f59,#a4a4ae);--line:light-dark(#e7e4de,#2c2c32)}
:root{--strong:light-dark(#8f8a81,#74747f);--accent:light-dark(#3447cc,#a7b3ff);--on:light-dark(#fff,#14172e)}
:root{--good:light-dark(#17693a,#7bd69b);--bad:light-dark(#b3261e,#ff9a92);--warn:light-dark(#7a5300,#f0c36a)}
:root{--bad-wash:light-dark(#fdecea,#341b19);--warn-wash:light-dark(#fdf4df,#2c2410)}
*{box-sizing:border-box}html{background:var(--canvas);-webkit-text-size-adjust:100%}
body{margin:0;color:var(--ink);font:.9375rem/1.55 system-ui,-apple-system,"Segoe UI",sans-serif}
header{display:flex;align-items:center;gap:.55rem;min-height:3.5rem;padding:.5rem clamp(1rem,4vw,2rem)}
header{background:var(--page);border-bottom:1px solid var(--line);font-weight:640}header svg{width:22px;height:22px}
main{max-width:48rem;margin:0 auto;padding:clamp(2rem,8vh,4.5rem) clamp(1rem,4vw,2rem) 5rem}
h1{margin:0 0 .9rem;font-size:clamp(1.6rem,5vw,2.25rem);line-height:1.15;letter-spacing:-.03em;overflow-wrap:anywhere}
h2{font-size:1.05rem;margin:2.2rem 0 .6rem}h3{margin:2.2rem 0 .5rem;font-size:.95rem}p{margin:.6rem 0}
a{color:var(--accent)}:focus-visible{outline:2px solid var(--accent);outline-offset:2px;border-radius:4px}
code,pre{font:.875em/1.6 ui-monospace,Menlo,Consolas,monospace;overflow-wrap:anywhere}
pre{background:var(--raised);border:1px solid var(--line);border-radius:8px;padding:.7rem .9rem;white-space:pre-wrap}
fieldset,.panel,.notice{margin:1.25rem 0;padding:.9rem 1.1rem 1.1rem;border:1px solid var(--line);border-radius:10px}
fieldset,.panel{background:var(--page)}legend+p{margin-top:0}form>p:last-child{margin-top:1.25rem}.notice{padding:.7rem 1.1rem;background:var(--warn-wash)}
.notice.wrong{background:var(--bad-wash)}small.wrong,.wrong>small{color:var(--bad)}
legend,label{font-size:.875rem;font-weight:560}legend{padding:0 .3rem;margin-left:-.3rem}label{display:block;margin-top:1rem}
.choice{display:flex;align-items:center;gap:.5rem;margin-top:.5rem}.choice label{margin:0;font-weight:400}.choice input{margin:0}
input{accent-color:var(--accent)}input[type=text]{display:block;width:100%;min-height:2.25rem;margin-top:.3rem;padding:.4rem .65rem}
input[type=text]{border:1px solid var(--strong);border-radius:8px;background:var(--page);color:inherit;font:inherit}
small{display:block;margin-top:.35rem;color:var(--soft)}.soft{color:var(--soft)}
button,.button{display:inline-flex;align-items:center;min-height:2.25rem;padding:.35rem .9rem;border:1px solid var(--accent)}
button,.button{border-radius:8px;background:var(--accent);color:var(--on);font:inherit;font-weight:560;text-decoration:none;cursor:pointer}
.button.quiet{border-color:var(--line);background:var(--page);color:var(--ink);font-weight:500}
.steps{padding:0;list-style:none;counter-reset:step}.steps>li{position:relative;padding:0 0 1.1rem 2.6rem;counter-increment:step}
.steps>li::before{position:absolute;top:-.15rem;left:0;width:1.75rem;height:1.75rem;border-radius:50%;content:counter(step)}
.steps>li::before{background:var(--page);border:1px solid var(--line);font-size:.8125rem;line-height:1.65rem;text-align:center}
.steps p:first-child{margin-top:0}.findings{padding:0;list-style:none}.findings li{padding:.6rem 0;border-top:1px solid var(--line)}
.findings li:first-child{border:0}.findings p{margin:.15rem 0 0}.state{font-weight:600}.state.ok{color:var(--good)}
.state.warning{color:var(--warn)}.state.broken{color:var(--bad)}summary{color:var(--soft);cursor:pointer}
.way{display:flex;flex-wrap:wrap;gap:.4rem 1.75rem;margin:0 0 1.25rem;padding:0;list-style:none;counter-reset:way;color:var(--soft)}
.way li{display:flex;align-items:center;gap:.55rem;counter-increment:way}.way [aria-current]{color:var(--ink);font-weight:600}
.way li::before{width:1.6rem;height:1.6rem;border:1px solid var(--line);border-radius:50%;background:var(--page);content:counter(way)}
.way li::before{font-size:.8125rem;line-height:1.5rem;text-align:center}
.way [aria-current]::before{border-color:var(--accent);background:var(--accent);color:var(--on)}
.panel>:first-child,.notice>:first-child{margin-top:0}
table{border-collapse:collapse;width:100%;font-size:.9rem}th,td{text-align:left;vertical-align:top}
th,td{padding:.35rem .6rem .35rem 0;border-bottom:1px solid var(--line)}.wide{overflow-x:auto}
dl{display:grid;grid-template-columns:minmax(7rem,auto) 1fr;gap:.5rem 1rem;margin:0}dt{color:var(--soft)}dd{margin:0;overflow-wrap:anywhere}
th{font-weight:600}th,td{white-space:nowrap}td:last-child{white-space:normal}
@media (max-width:34rem){tr{display:grid;grid-template-columns:auto 1fr;gap:0 .75rem;padding:.5rem 0;border-bottom:1px solid var(--line)}}
@media (max-width:34rem){th,td{padding:0;border:0}td:last-child{grid-column:1/-1;color:var(--soft)}}
@media (max-width:34rem){thead{position:absolute;clip-path:inset(50%)}dl{grid-template-columns:1fr;gap:0}dd{margin-bottom:.6rem}}
`;

/** For `style-src`. */
const hashStyles = (styles: string) => `'sha256-${createHash('sha256').update(styles).digest('base64')}'`;

/** The title is also the heading. */
export interface HtmlPage {
  status: number;
  title: string;
  body: Html;
  headers?: Record<string, string>;
}

const mark = html`<svg viewBox="0 0 32 32" aria-hidden="true"><rect width="32" height="32" rx="8" fill="#3d5af1"/><path d="M10 8h8.5a5.5 5.5 0 0 1 0 11H13v5" fill="none" stroke="#fff" stroke-width="3" stroke-linecap="round" stroke-linejoin="round"/><path d="M13 13.5h5" stroke="#fff" stroke-width="2.4" stroke-linecap="round"/></svg>`;

/** Sends a page. `protect` adds its security headers. */
export function sendHtmlPage(response: Response, { status, title, body, headers = {} }: HtmlPage): void {
  const { html: text } = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title} · Pagewright</title>
<style>${{ html: css }}</style>
</head>
<body>
<header>${mark}Pagewright</header>
<main>
<h1>${title}</h1>
${body}
</main>
</body>
</html>
`;
  response.status(status).set(headers).type('html').send(text);
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
