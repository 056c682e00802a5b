import { request } from 'node:http';
import { text } from 'node:stream/consumers';

export interface Answer {
  status: number;
  headers: Record<string, string | string[] | undefined>;
  body: string;
}

/** One request, with headers that fetch does not let through (Host), and no redirect followed. */
export function ask(
  url: string,
  { method = 'GET', headers = {}, body }: { method?: string; headers?: Record<string, string>; body?: string } = {},
): Promise<Answer> {
  const { promise, resolve, reject } = Promise.withResolvers<Answer>();
  request(url, { method, headers, agent: false }, (response) => {
    text(response).then(
      (body) => resolve({ status: response.statusCode ?? 0, headers: response.headers, body }),
      reject,
    );
  })
    .on('error', reject)
    .end(body);
  return promise;
}

/** A Content-Length, because chunked bodies are refused. */
export const postedForm = (body: string) => ({
  method: 'POST',
  body,
  headers: { 'content-type': 'application/x-www-form-urlencoded', 'content-length': String(Buffer.byteLength(body)) },
});

/** What a browser does with cookies: it sends back the ones that it was given. */
export function createBrowser(base: string, headers: Record<string, string> = {}) {
  let cookie = '';
  async function send(
    path: string,
    options: { method?: string; body?: string; headers?: Record<string, string> } = {},
  ) {
    const sent = { ...headers, ...options.headers, ...(cookie === '' ? {} : { cookie }) };
    const answer = await ask(`${base}${path}`, { ...options, headers: sent });
    const [given] = answer.headers['set-cookie'] ?? [];
    if (given) cookie = given.split(';')[0] ?? '';
    return answer;
  }
  return { open: (path: string) => send(path), post: (path: string, form: string) => send(path, postedForm(form)) };
}

const entities: Record<string, string> = { '&amp;': '&', '&lt;': '<', '&gt;': '>', '&quot;': '"', '&#39;': "'" };
export const unescapeHtml = (html: string) =>
  html.replace(/&(?:amp|lt|gt|quot|#39);/g, (entity) => entities[entity] ?? '');

/** The form that goes to GitHub: where to, and the manifest in it. */
export function readRegistrationForm({ body }: Answer) {
  const action = unescapeHtml(/<form action="([^"]*)" method="post">/.exec(body)?.[1] ?? '');
  const manifest = unescapeHtml(/name="manifest" value="([^"]*)"/.exec(body)?.[1] ?? '');
  return { action: new URL(action), manifest: JSON.parse(manifest) };
}
