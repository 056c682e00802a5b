import { EventEmitter, once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { runProcess } from '../../../harness/processes/start-programs.ts';

const limits = { timeoutMs: 120_000, maxOutputBytes: 1024 ** 3 };
const never = new AbortController().signal;

/**
 * Serves the bare repositories below `root` as `<url>/<name>.git` by git's own http-backend, to whoever shows this token. `answerWith`
 * makes it refuse: the requests that `matches` get that status instead; 0 leaves them without
 * an answer. `requests` is what was asked, in order.
 */
export async function startGitServer({ root, token }: { root: string; token: string }) {
  const authorization = `Basic ${Buffer.from(`x-access-token:${token}`).toString('base64')}`;
  const requests: string[] = [];
  const asked = new EventEmitter();
  let lost: RegExp | undefined;
  let refusal: { status: number; matches: RegExp } | undefined;

  const server = createServer(async (request, response) => {
    const { pathname, search } = new URL(request.url ?? '/', 'http://localhost');
    requests.push(`${request.method} ${pathname}${search}`);
    asked.emit('request');
    const status = refusal?.matches.test(`${pathname}${search}`) ? refusal.status : undefined;
    if (status !== undefined || request.headers.authorization !== authorization) {
      request.resume();
      if (status === 0) {
        return;
      }
      response.writeHead(status ?? 401).end();
      return;
    }
    const { stdout } = await runProcess(
      {
        command: 'git',
        args: ['http-backend'],
        cwd: root,
        stdin: Buffer.concat(await request.toArray()),
        env: {
          PATH: process.env.PATH ?? '',
          GIT_PROJECT_ROOT: root,
          GIT_HTTP_EXPORT_ALL: '1',
          GIT_CONFIG_GLOBAL: '/dev/null',
          REMOTE_USER: 'app',
          PATH_INFO: pathname,
          QUERY_STRING: search.slice(1),
          REQUEST_METHOD: request.method ?? '',
          CONTENT_TYPE: request.headers['content-type'] ?? '',
          HTTP_CONTENT_ENCODING: request.headers['content-encoding'] ?? '',
          GIT_PROTOCOL: request.headers['git-protocol']?.toString() ?? '',
        },
        ...limits,
      },
      never,
    );
    if (lost?.test(pathname)) {
      request.socket.destroy();
      return;
    }
    const output = Buffer.from(stdout);
    const end = output.indexOf('\r\n\r\n');
    const headers = output
      .subarray(0, end)
      .toString()
      .split('\r\n')
      .map((line) => line.split(': '));
    const code = headers.find(([name]) => name === 'Status')?.[1]?.slice(0, 3) ?? '200';
    for (const [name = '', value = ''] of headers.filter(([name]) => name !== 'Status')) {
      response.setHeader(name, value);
    }
    response.writeHead(Number(code)).end(output.subarray(end + 4));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    /** Resolves at the next request. */
    nextRequest: () => once(asked, 'request'),
    answerWith(status: number, matches: RegExp) {
      refusal = { status, matches };
    },
    /** Does what is asked, and cuts the connection instead of answering. */
    loseAnswerTo(matches: RegExp) {
      lost = matches;
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
