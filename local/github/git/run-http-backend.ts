import { gitEnvironment } from './run-git.ts';
import { runProgram } from './run-program.ts';

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
  const { stdout, stderr } = await runProgram({
    command: 'git',
    args: ['http-backend'],
    stdin: request.body,
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
  const output = Buffer.from(stdout.buffer, stdout.byteOffset, stdout.byteLength);
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
