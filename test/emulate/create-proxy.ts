import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Request, Response } from 'express';
import { createGitClient } from '../../harness/git-client.ts';
import { createBareRepository } from '../../local/github/git/create-bare-repository.ts';
import { runHttpBackend } from '../../local/github/git/run-http-backend.ts';
import { writeCommit } from '../../local/github/git/write-commit.ts';

export interface Answered {
  by: 'emulate' | 'proxy';
  /** `POST /repos/acme/docs/pulls` */
  what: string;
  status: number;
}

type Answer = { status: number; body?: unknown };
type Route = [method: string, path: RegExp, answer: (ask: () => Promise<unknown>) => Promise<Answer>];

/** What emulate 0.12.2 has no route for; everything else is its own. `ask` reads the repository from it, with the asker's token. */
const missing: Route[] = [
  [
    'GET',
    /^\/installation\/repositories$/,
    async (ask) => ({ status: 200, body: { total_count: 1, repositories: [await ask()] } }),
  ],
  ['DELETE', /^\/installation\/token$/, async () => ({ status: 204 })],
  ['GET', /^\/app\/hook\/deliveries$/, async () => ({ status: 200, body: [] })],
  ['GET', /\/rules\/branches\//, async () => ({ status: 200, body: [] })],
  ['POST', /\/reactions$/, async () => ({ status: 201, body: { id: 1 } })],
];

/**
 * Stands in front of emulate: sends what it has a route for on to it, and answers the rest itself, above all git, from a bare repository
 * that emulate knows nothing of.
 */
export async function createProxy({
  directory,
  emulatedUrl,
  files,
}: {
  directory: string;
  emulatedUrl: string;
  files: Record<string, string>;
}) {
  const answered: Answered[] = [];
  const gitDirectory = join(directory, 'docs.git');
  await mkdir(directory, { recursive: true });
  await createBareRepository(gitDirectory, 'main');
  const author = { name: 'Rita', email: 'rita@acme.example' };
  await writeCommit(gitDirectory, { ref: 'refs/heads/main', files, message: 'Begin', author, date: new Date() });

  const askAbout = (authorization = '') => fetch(`${emulatedUrl}/repos/acme/docs`, { headers: { authorization } });

  async function handle(request: Request, response: Response): Promise<void> {
    const body = Buffer.concat(await request.toArray());
    const { pathname, search } = new URL(request.url, emulatedUrl);
    const isApi = pathname.startsWith('/api/v3/');
    const path = isApi ? pathname.slice('/api/v3'.length) : pathname;
    const note = (by: Answered['by'], status: number) =>
      answered.push({ by, what: `${request.method} ${path}`, status });
    if (!isApi) {
      const { status, headers, body: output } = await serveGit(request, { path, search, body });
      note('proxy', status);
      return void response.status(status).set(headers).end(output);
    }
    const own = missing.find(([method, pattern]) => method === request.method && pattern.test(path));
    if (own) {
      const { status, body: output } = await own[2](async () => (await askAbout(request.get('authorization'))).json());
      note('proxy', status);
      return void response.status(status).json(output);
    }
    const headers = keep(['accept', 'authorization', 'content-type'], (name) => request.get(name));
    const given = body.length > 0 ? { body } : {};
    const answer = await fetch(`${emulatedUrl}${path}${search}`, { method: request.method, headers, ...given });
    note('emulate', answer.status);
    response.status(answer.status).set(keep(['content-type', 'link'], (name) => answer.headers.get(name)));
    response.end(Buffer.from(await answer.arrayBuffer()));
  }

  /** Whoever may read the repository by emulate's word may do so with git. */
  async function serveGit(
    request: Request,
    { path, search, body }: { path: string; search: string; body: Buffer },
  ): Promise<Awaited<ReturnType<typeof runHttpBackend>>> {
    const [, credentials = ''] = request.get('authorization')?.split(' ') ?? [];
    const [, token] = Buffer.from(credentials, 'base64').toString().split(':');
    if (!token || !(await askAbout(`Bearer ${token}`)).ok) {
      return { status: 401, headers: { 'www-authenticate': 'Basic realm="GitHub"' }, body: Buffer.alloc(0) };
    }
    const asked = {
      method: request.method,
      path: path.replace('/acme/', '/'),
      query: search.slice(1),
      contentType: request.get('content-type') ?? '',
      contentEncoding: request.get('content-encoding') ?? '',
      protocol: request.get('git-protocol') ?? '',
      body,
      user: 'pagewright-test[bot]',
    };
    return runHttpBackend(directory, asked, { STAND_IN_NOTES: directory });
  }

  return {
    handle,
    answered: answered as readonly Answered[],
    git: (...args: string[]) => createGitClient().run(gitDirectory, ...args),
  };
}

function keep(names: string[], read: (name: string) => string | null | undefined): Record<string, string> {
  const found = names.map((name) => [name, read(name)] as const);
  return Object.fromEntries(found.flatMap(([name, value]) => (typeof value === 'string' ? [[name, value]] : [])));
}
