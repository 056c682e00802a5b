import { setTimeout as delay } from 'node:timers/promises';
import type { LocalGitHub } from '../local/github/start-github.ts';

/** The answer of a page. Tests look for its words in `text`. */
export interface Visited {
  status: number;
  headers: Headers;
  /** Where it redirects to, without the host. */
  location: string;
  text: string;
}

/** A browser without JavaScript: it keeps cookies and sends forms as browsers do. It follows no redirect. */
export function createVisitor({
  url,
  github,
  headers: own = {},
}: {
  url: string;
  github: LocalGitHub;
  headers?: Record<string, string>;
}) {
  const cookies = new Map<string, string>();

  async function send(path: string, init: RequestInit = {}): Promise<Visited> {
    const cookie = [...cookies].map((pair) => pair.join('=')).join('; ');
    const headers = { ...own, ...Object(init.headers), ...(cookie !== '' && { cookie }) };
    const response = await fetch(`${url}${path}`, { redirect: 'manual', ...init, headers });
    for (const set of response.headers.getSetCookie()) {
      const [name = '', value = ''] = set.split(';')[0]?.split('=') ?? [];
      if (value === '') cookies.delete(name);
      else cookies.set(name, value);
    }
    const location = (response.headers.get('location') ?? '').replace(url, '');
    return { status: response.status, headers: response.headers, location, text: await response.text() };
  }

  const get = (path: string) => send(path);

  /** Goes to GitHub and returns the way back, as the person answered. Waits if there were too many attempts. */
  async function askGitHub(
    login: string,
    answer: 'authorize' | 'deny' = 'authorize',
    target = '/projects',
  ): Promise<string> {
    const { location, status, headers } = await get(`/auth/sign-in?${new URLSearchParams({ target })}`);
    if (status === 429) {
      await delay(Number(headers.get('retry-after')) * 1_000);
      return askGitHub(login, answer, target);
    }
    const form = new URLSearchParams(new URL(location).search);
    form.set('as', login);
    form.set('answer', answer);
    const page = `${github.webUrl}/login/oauth/authorize`;
    const back = await fetch(page, { method: 'POST', body: form, redirect: 'manual' });
    return (back.headers.get('location') ?? '').replace(url, '');
  }

  return {
    cookies,
    get,
    askGitHub,
    /** As a browser sends a form of our page. */
    post: (path: string, fields: Record<string, string> = {}, headers: Record<string, string> = {}) =>
      send(path, {
        method: 'POST',
        body: new URLSearchParams(fields),
        headers: { origin: url, 'sec-fetch-site': 'same-origin', ...headers },
      }),
    async signIn(login: string, target?: string): Promise<Visited> {
      return get(await askGitHub(login, 'authorize', target));
    },
  };
}

export type Visitor = ReturnType<typeof createVisitor>;
