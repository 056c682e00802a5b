import { z } from 'zod';
import {
  type MemoryComment,
  type MemoryGitHub,
  ourLogin,
  presentComment,
  presentRemark,
  presentReview,
  type Writer,
} from './memory-github.ts';

export const ourselves: Writer = { login: ourLogin, id: 99, type: 'Bot' };

const people: Record<string, { permission: string; user: { id: number } }> = {
  rita: { permission: 'write', user: { id: 11 } },
  max: { permission: 'admin', user: { id: 12 } },
};
const bodySchema = z.object({ body: z.string() });
const openSchema = z.object({
  title: z.string(),
  head: z.string(),
  base: z.string(),
  body: z.string(),
  draft: z.boolean(),
});
const editSchema = z.object({ title: z.string(), body: z.string(), state: z.enum(['open', 'closed']) }).partial();

/** What a route answers with: 200, 404 for undefined, or the status that a number says. */
type Answer = object | number | undefined;
type Route = [string, RegExp, (numbers: number[], given: { text: string[]; body: unknown; url: URL }) => Answer];

/** What happens right after the next pull request, comment or reply is made: its answer gets lost, or `die` is called first. */
export type WriteFault = 'lose' | { die: () => void };

/** The REST routes that conversations need, as GitHub's clients fetch them; `requests` has what was asked. */
export function createFetch(github: MemoryGitHub) {
  const next: { fault?: WriteFault | undefined } = {};
  const requests: string[] = [];
  const routes = listRoutes(github);
  const fetch: typeof globalThis.fetch = async (input, init) => {
    const url = new URL(input instanceof Request ? input.url : input);
    const method = init?.method ?? 'GET';
    requests.push(`${method} ${url.pathname}`);
    for (const [wanted, pattern, answer] of routes) {
      const match = method === wanted ? pattern.exec(url.pathname) : null;
      if (!match) continue;
      const text = match.slice(1);
      const body: unknown = typeof init?.body === 'string' ? JSON.parse(init.body) : {};
      const whole = answer(text.map(Number), { text, body, url });
      const given = Array.isArray(whole) ? cutPage(whole, url) : whole;
      const { fault } = next;
      if (!fault || method !== 'POST' || !/comments|replies|pulls$/.test(url.pathname)) return toResponse(given, url);
      next.fault = undefined;
      if (fault === 'lose') return new Response('bad gateway', { status: 502 });
      fault.die();
      init?.signal?.throwIfAborted();
      return toResponse(given, url);
    }
    throw new Error(`nobody has told what ${method} ${url.pathname} is`);
  };
  return { fetch, requests, failNextWrite: (fault: WriteFault | undefined) => Object.assign(next, { fault }) };
}

function cutPage(list: readonly unknown[], url: URL): unknown[] {
  const [page, size] = ['page', 'per_page'].map((name) => Number(url.searchParams.get(name)));
  return page && size ? list.slice((page - 1) * size, page * size) : [...list];
}

function toResponse(answer: Answer, url: URL): Response {
  const isEmpty = answer === 204;
  const body = isEmpty ? null : JSON.stringify(answer ?? { message: 'Not Found' });
  const headers = { 'content-type': 'application/json' };
  const response = new Response(body, { status: isEmpty ? 204 : answer === undefined ? 404 : 200, headers });
  // Only those that came over a network have one by themselves.
  return Object.defineProperty(response, 'url', { value: url.href });
}

function listRoutes(github: MemoryGitHub): Route[] {
  const { pullRequests, comments, remarks, reviews, reactions, repository, present } = github;
  const byId = (list: MemoryComment[], id = 0) => list.find((comment) => comment.id === id);
  const react = (on: string, list: MemoryComment[], id = 0) => {
    if (!byId(list, id)) return undefined;
    reactions.add(`${on}:${id}`);
    return { id };
  };
  const open = (body: unknown) => {
    const { head: branch, ...wanted } = openSchema.parse(body);
    return present(github.open({ branch, ...wanted }));
  };
  const noThreads = { nodes: [], pageInfo: { hasNextPage: false, endCursor: null } };
  return [
    // Nobody resolves a thread.
    ['POST', /^\/graphql$/, () => ({ data: { repository: { pullRequest: { reviewThreads: noThreads } } } })],
    ['GET', /^\/app$/, () => ({ id: 77, slug: 'pagewright-test', name: 'Pagewright' })],
    [
      'POST',
      /^\/app\/installations\/\d+\/access_tokens$/,
      (_, { body }) => ({
        token: 'ghs_in_memory',
        expires_at: new Date(Date.now() + 3600_000).toISOString(),
        permissions: z.object({ permissions: z.record(z.string(), z.string()) }).parse(body).permissions,
        repositories: [repository],
      }),
    ],
    ['DELETE', /^\/installation\/token$/, () => 204],
    [
      'GET',
      /\/collaborators\/([^/]+)\/permission$/,
      (_, { text: [login = ''] }) => people[login] ?? { permission: 'read', user: null },
    ],
    [
      'GET',
      /\/pulls$/,
      (_, { url }) =>
        [...pullRequests.values()]
          .filter(({ branch }) => url.searchParams.get('head') === `acme:${branch}`)
          .map(present),
    ],
    ['POST', /\/pulls$/, (_, { body }) => open(body)],
    ['GET', /\/pulls\/(\d+)$/, ([number = 0]) => (pullRequests.has(number) ? present(github.find(number)) : undefined)],
    [
      'PATCH',
      /\/pulls\/(\d+)$/,
      ([number = 0], { body }) => {
        const { title, body: text, state } = editSchema.parse(body);
        if (state === 'open') github.reopen(number, ourselves);
        return present(github.edit(number, { ...(title && { title }), ...(text && { body: text }) }));
      },
    ],
    [
      'GET',
      /\/issues\/(\d+)$/,
      ([number = 0]) => {
        const { state, closedBy } = github.find(number);
        return { state, closed_by: closedBy };
      },
    ],
    [
      'GET',
      /\/issues\/(\d+)\/comments$/,
      ([number]) => comments.filter(({ pullRequest }) => pullRequest === number).map(presentComment),
    ],
    [
      'POST',
      /\/issues\/(\d+)\/comments$/,
      ([number = 0], { body }) => presentComment(github.comment(number, ourselves, bodySchema.parse(body).body)),
    ],
    ['POST', /\/issues\/comments\/(\d+)\/reactions$/, ([id]) => react('comment', comments, id)],
    ['POST', /\/pulls\/comments\/(\d+)\/reactions$/, ([id]) => react('review_comment', remarks, id)],
    [
      'GET',
      /\/pulls\/\d+\/reviews\/(\d+)$/,
      ([wanted]) => reviews.filter(({ id }) => id === wanted).map(presentReview)[0],
    ],
    [
      'GET',
      /\/pulls\/\d+\/reviews\/(\d+)\/comments$/,
      ([wanted]) => remarks.filter(({ reviewId }) => reviewId === wanted).map(presentRemark),
    ],
    ['GET', /\/pulls\/comments\/(\d+)$/, ([wanted]) => remarks.filter(({ id }) => id === wanted).map(presentRemark)[0]],
    [
      'GET',
      /\/pulls\/(\d+)\/comments$/,
      ([number]) => remarks.filter(({ pullRequest }) => pullRequest === number).map(presentRemark),
    ],
    [
      'POST',
      /\/pulls\/(\d+)\/comments\/(\d+)\/replies$/,
      ([number = 0, rootId = 0], { body }) =>
        presentRemark(github.reply(number, rootId, { writer: ourselves, ...bodySchema.parse(body) })),
    ],
  ];
}
