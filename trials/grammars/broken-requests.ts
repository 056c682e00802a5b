import type { Random } from '../../harness/trials/random.ts';
import { chance, number, oneOf, words } from './draw.ts';
import type { RawRequest } from './raw-request.ts';

const openPages = words(
  '/metrics /setup /metrics/ /METRICS /%6detrics //metrics /setup/ /./metrics /setup?x=1 /setup/x',
);

/** Draws a request that only the operator on this machine may make, as a proxy would pass it on. */
export function drawOperatorRequest(random: Random): RawRequest {
  const host = random.pick(
    words('pagewright.example 10.0.0.1:3000 hostile.example localhost.hostile.example 127.0.0.1.hostile.example'),
  );
  const head = `${random.pick(words('GET POST HEAD'))} ${random.pick(openPages)} HTTP/1.1\r\nHost: ${host}\r\nConnection: close`;
  const token = random.pick([
    '',
    '',
    'Authorization: Bearer ',
    'Authorization: Bearer null',
    'Authorization: Basic Og==',
  ]);
  return { head: token ? `${head}\r\n${token}` : head, body: Buffer.alloc(0) };
}

/** Draws bytes that are hardly HTTP. */
export function drawBrokenRequest(random: Random): RawRequest {
  const line = `${random.pick(words('GET POST PUT TRACE CONNECT PROPFIND get G\u0000T FOO'))} ${random.pick(
    words('/ /livez /openapi.json * http://hostile.example/ /v2/agent/x/job /%zz /%c0%af /\u0001'),
  )} ${random.pick(words('HTTP/1.1 HTTP/1.0 HTTP/2.0 HTTP/9.9 FTP/1.1'))}`;
  const header = oneOf(random, [
    'Host: x',
    '',
    'Host: x\r\nHost: y',
    () => `Host: x\r\nX-Long: ${'x'.repeat(number(random, 40_000))}`,
    () => `Host: x${'\r\nX-Many: x'.repeat(number(random, 3_000))}`,
    'Host: x\r\nExpect: 200-maybe',
    'Host: x\r\nContent-Length: 5\r\nTransfer-Encoding: chunked',
    'Host: x\r\nTransfer-Encoding: chunked, identity',
    'Host: x\r\n X-Folded: y',
    'Host: x\r\nNo colon',
    'Host: x\r\nX-Nul: \u0000',
    'Host: x\r\nUpgrade: websocket\r\nConnection: Upgrade',
    'Host: x\r\nRange: bytes=0-0,0-0,0-0',
    'Host: x\r\nAccept: ../../etc/passwd',
  ]);
  return {
    head: `${line}\r\n${header}`,
    body: Buffer.from(chance(random, 0.3) ? 'G'.repeat(number(random, 100)) : ''),
  };
}
