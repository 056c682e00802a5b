import { spawn } from 'node:child_process';
import { text } from 'node:stream/consumers';
import { gitEnvironment } from './run-git.ts';

export interface GitRequest {
  method: string;
  /** Below the project root: `/1.git/info/refs`. */
  path: string;
  query: string;
  contentType: string;
  contentEncoding: string;
  protocol: string;
  body: Buffer;
  user: string;
}

/** One request to git's own CGI program, answered whole: https://git-scm.com/docs/git-http-backend */
export async function runHttpBackend(
  root: string,
  request: GitRequest,
  environment: Record<string, string>,
): Promise<{ status: number; headers: Record<string, string>; body: Buffer }> {
  const child = spawn('git', ['http-backend'], {
    env: {
      ...gitEnvironment(),
      ...environment,
      GIT_PROJECT_ROOT: root,
      GIT_HTTP_EXPORT_ALL: '1',
      PATH_INFO: request.path,
      REQUEST_METHOD: request.method,
      QUERY_STRING: request.query,
      CONTENT_TYPE: request.contentType,
      CONTENT_LENGTH: String(request.body.length),
      HTTP_CONTENT_ENCODING: request.contentEncoding,
      GIT_PROTOCOL: request.protocol,
      REMOTE_USER: request.user,
      REMOTE_ADDR: '127.0.0.1',
    },
  });
  const ended = new Promise<number | null>((resolve, reject) => child.once('error', reject).once('close', resolve));
  child.stdin.on('error', () => {});
  child.stdin.end(request.body);
  const [stdout, stderr] = await Promise.all([child.stdout.toArray(), text(child.stderr), ended]);
  const output = Buffer.concat(stdout);
  const end = output.indexOf('\r\n\r\n');
  if (end < 0) throw new Error(`could not serve ${request.path}: git http-backend said ${stderr.trim()}`);
  const headers = Object.fromEntries(
    output
      .toString('latin1', 0, end)
      .split('\r\n')
      .map((line) => {
        const at = line.indexOf(':');
        return [line.slice(0, at).toLowerCase(), line.slice(at + 1).trim()] as const;
      }),
  );
  const { status = '200', ...rest } = headers;
  return { status: Number.parseInt(status, 10), headers: rest, body: output.subarray(end + 4) };
}
