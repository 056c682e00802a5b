import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { pinoHttp } from 'pino-http';
import type { Log } from '../../log.ts';

const isProbe = ({ url = '' }: IncomingMessage) => url === '/livez' || url === '/readyz' || url === '/metrics';

/**
 * Gives each request an id, which its answer carries as `x-request-id`, and logs it when it is answered: method, path, status and time, and
 * nothing else. Headers hold keys, bodies and queries whatever callers put there.
 */
export function logRequests(log: Log) {
  return pinoHttp({
    logger: log,
    // Never the caller's own id: what goes into log lines is ours.
    genReqId(_request, response) {
      const requestId = randomUUID();
      response.setHeader('x-request-id', requestId);
      return requestId;
    },
    autoLogging: { ignore: isProbe },
    customLogLevel: (_request, { statusCode }, error) => (error || statusCode >= 500 ? 'error' : 'info'),
    serializers: {
      req: ({ id, method, url }: { id: string; method: string; url: string }) => ({
        id,
        method,
        path: url.split('?')[0],
      }),
      res: ({ statusCode }: { statusCode: number }) => ({ statusCode }),
    },
  });
}
