// Every route that asks GitHub, with each of GitHub's refusals: none is an internal error.
import { createHash, randomBytes } from 'node:crypto';
import { afterAll, expect, inject, test } from 'vitest';
import { createProject } from '../../harness/create-project.ts';
import { createAccessPool } from '../../src/github/auth/access-pool.ts';
import { createGitHubApp } from '../../src/github/auth/app.ts';
import { createOpenProject, type OpenProject } from '../../src/projects/open-project.ts';
import { insertSession } from '../../src/store/tables/access/sessions.ts';
import { updateJob } from '../../src/store/tables/jobs/jobs.ts';
import { noRedaction } from '../../src/text/redact.ts';
import { createTestDatabase } from '../support/databases/database.ts';
import { makeJob } from '../support/databases/jobs.ts';
import { problemShape } from '../support/doors/api.ts';
import { serveDoors } from '../support/doors/serve-doors.ts';

type Answer = () => Response;

const repository = { id: 1, name: 'docs', owner: { login: 'acme' }, default_branch: 'main', private: false };
const permissions = { metadata: 'read', contents: 'write', pull_requests: 'write', issues: 'write' };
const installation = { id: 1001, account: { login: 'acme' }, suspended_at: null, permissions };
const json = (status: number, body: object, headers: Record<string, string> = {}) =>
  new Response(JSON.stringify(body), { status, headers: { 'content-type': 'application/json', ...headers } });
const minted: Answer = () => json(201, { token: 'ghs_1', permissions, repositories: [repository] });
const missing: Answer = () => json(404, { message: 'Not Found' });
const message = (status: number, text: string, headers = {}) => json(status, { message: text }, headers);

/** What GitHub answers to a request for a token, about the installation, about a person's role, and to all others. */
interface GitHub {
  mint?: Answer;
  installation?: Answer;
  role?: Answer;
  other?: Answer;
}

let project: { projectId: string; key: string };
let cookie: string;
let userId = 0;
/** Each with a pull request. */
let jobs: { archived: string; completed: string };
let github: GitHub = {};
let openProject: OpenProject;

function answer(url: string): Response {
  const { mint = minted, installation: installed = () => json(200, installation), role, other = missing } = github;
  if (url.endsWith('/access_tokens')) return mint();
  if (/\/app\/installations\/\d+$|\/installation$/.test(url)) return installed();
  return role && url.endsWith('/permission') ? role() : other();
}

/** A process that has asked GitHub nothing yet, and a person of whom nothing is known. */
async function start(faulty: GitHub): Promise<void> {
  github = faulty;
  userId += 1;
  const secret = randomBytes(32).toString('base64url');
  const sha256 = createHash('sha256').update(secret).digest();
  await insertSession(db.database, { sha256, userId, login: `reader-${userId}` });
  cookie = `pagewright_session=${secret}`;
  const app = createGitHubApp({
    appId: '1',
    privateKey: inject('privateKey'),
    apiUrl: 'https://api.github.test',
    retryDelaysMs: [],
    fetch: async (input) => answer(String(input instanceof Request ? input.url : input)),
  });
  const accesses = createAccessPool({ github: app, secrets: noRedaction });
  openProject = createOpenProject({ database: db.database, github: app, accesses });
}

const db = await createTestDatabase();
const { database } = db;
const doors = await serveDoors(db.store, {}, (...asked) => openProject(...asked));
project = await createProject(database);
const openJob = async (status: 'archived' | 'completed', number: number) => {
  const { job_id: jobId } = await makeJob(db.store, project.projectId, status);
  await updateJob(database, jobId, { branch: `pagewright/${number}`, pull_request_number: number });
  return jobId;
};
jobs = { archived: await openJob('archived', 3), completed: await openJob('completed', 4) };
afterAll(async () => {
  await doors[Symbol.asyncDispose]();
  await db[Symbol.asyncDispose]();
});

const routes: [name: string, send: () => Promise<Response>][] = [
  ['the API’s unarchive', () => call('POST', `job/${jobs.archived}/unarchive`)],
  ['the API’s diff', () => call('GET', `job/${jobs.completed}/diff`)],
  ['a page', () => visit('GET', '')],
  ['a page of a job', () => visit('GET', `jobs/${jobs.completed}`)],
  ['a page of maintainers', () => visit('GET', 'keys')],
  ['a form', () => visit('POST', `jobs/${jobs.archived}/unarchive`)],
  ['the list of projects', () => fetch(`${doors.url}/projects`, { headers: { cookie } })],
];

const call = (method: string, path: string) =>
  fetch(`${doors.url}/v2/agent/${project.projectId}/${path}`, {
    method,
    headers: { authorization: `Bearer ${project.key}` },
  });

const visit = (method: string, path: string) =>
  fetch(`${doors.url}/projects/${project.projectId}${path && `/${path}`}`, {
    method,
    redirect: 'manual',
    headers: { cookie, origin: doors.url, 'content-type': 'application/x-www-form-urlencoded' },
  });

const mayWrite: Answer = () => json(200, { permission: 'write', role_name: 'write', user: { id: userId } });

/** The kind of a problem, or the status of anything else. */
async function read(response: Response): Promise<string | number> {
  const text = await response.text();
  if (!response.headers.get('content-type')?.includes('problem+json')) return response.status;
  return problemShape.parse(JSON.parse(text)).type.replace('urn:pagewright:problem:', '');
}

type Outcome = 'repository-gone' | 'github-refused' | 'unavailable';

test.each<[name: string, github: GitHub, outcome: Outcome]>([
  ['a token that is refused', { other: () => message(401, 'Bad credentials') }, 'unavailable'],
  ['a suspension', { other: () => message(403, 'Sorry, this installation has been suspended') }, 'unavailable'],
  [
    'a permission that is missing',
    {
      other: () =>
        message(403, 'Resource not accessible by integration', {
          'x-accepted-github-permissions': 'pull_requests=admin',
        }),
    },
    'github-refused',
  ],
  [
    'a list of allowed addresses',
    {
      other: () =>
        message(
          403,
          'Although you appear to have the correct authorization credentials, the organization has an IP allow list enabled',
        ),
    },
    'github-refused',
  ],
  ['a rate limit', { other: () => message(429, 'slow down', { 'retry-after': '60' }) }, 'unavailable'],
  ['a secondary rate limit', { other: () => message(403, 'You have exceeded a secondary rate limit') }, 'unavailable'],
  ['a takedown', { other: () => message(451, 'Repository access blocked') }, 'github-refused'],
  ['a mistake in the request', { other: () => message(422, 'Validation Failed') }, 'github-refused'],
  ['a server that is down', { other: () => message(502, 'Bad Gateway') }, 'unavailable'],
  [
    'an answer of somebody else',
    { other: () => new Response('<html>', { headers: { 'content-type': 'text/html' } }) },
    'unavailable',
  ],
  ['an unknown body', { other: () => json(200, { surprise: true }) }, 'unavailable'],
  [
    'a connection that breaks',
    {
      other: () => {
        throw new TypeError('fetch failed');
      },
    },
    'unavailable',
  ],
  ['an App that is not installed', { mint: missing, installation: missing }, 'repository-gone'],
  [
    'a repository that is gone',
    { mint: () => message(422, 'There is at least one repository that does not exist') },
    'repository-gone',
  ],
  [
    'a suspended installation',
    {
      mint: () => message(403, 'suspended'),
      installation: () => json(200, { ...installation, suspended_at: '2026-01-01T00:00:00Z' }),
    },
    'unavailable',
  ],
  [
    'an installation without a permission',
    { mint: () => message(422, 'no'), installation: () => json(200, { ...installation, permissions: {} }) },
    'github-refused',
  ],
  ['a key that is refused', { mint: () => message(401, 'A JSON web token could not be decoded') }, 'unavailable'],
  ['a mint that is down', { mint: () => message(500, 'oops') }, 'unavailable'],
])('%s', async (_name, faulty, outcome) => {
  const seen = new Map<string, unknown>();
  for (const [name, send] of routes) {
    await start(faulty);
    seen.set(name, await read(await send()));
  }
  // A page says whether a person may see it before it says anything of GitHub.
  const page = { 'repository-gone': 404, 'github-refused': 502, unavailable: 503 }[outcome];
  expect(Object.fromEntries(seen)).toEqual({
    'the API’s unarchive': outcome,
    'the API’s diff': outcome,
    'a page': page,
    'a page of a job': page,
    'a page of maintainers': page,
    'a form': page,
    'the list of projects': 200,
  });
  if (!faulty.other) return;
  await start({ ...faulty, role: mayWrite });
  expect(await read(await visit('GET', `jobs/${jobs.completed}`))).toBe(200);
  expect(await read(await visit('POST', `jobs/${jobs.archived}/unarchive`))).toBe(409);
});

const pullRequest = {
  ...{ number: 3, node_id: 'PR_3', html_url: 'https://github.com/acme/docs/pull/3', state: 'closed', title: 'x' },
  ...{
    base: { ref: 'main' },
    head: { ref: 'pagewright/3', sha: 'f'.repeat(40), repo: { id: 1 } },
    updated_at: '2026-01-01T00:00:00Z',
  },
};

test('a repository that is deleted while a token of it is kept is gone at once', async () => {
  await start({ other: () => json(200, pullRequest) });
  expect(await read(await call('POST', `job/${jobs.archived}/unarchive`))).toBe('pull-request-closed');
  github = { other: missing, mint: () => message(422, 'There is at least one repository that does not exist') };
  expect(await read(await call('POST', `job/${jobs.archived}/unarchive`))).toBe('repository-gone');
});
