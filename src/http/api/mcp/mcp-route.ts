import { createHash } from 'node:crypto';
import { type Request, Router } from 'express';
import { z } from 'zod';
import { pause } from '../../../pause.ts';
import { parseJsonBody, requireJson } from '../../bodies/read-body.ts';
import { allowOnly, formatProblem, HttpProblem, toProblem } from '../../problem.ts';
import { type ApiParts, createStrictHandler } from '../endpoint.ts';
import { endpoints } from '../endpoints.ts';
import { maxBodyBytes } from '../messages/message-body.ts';
import type { ApiRequest } from '../requests/project-route.ts';
import { type KeyAccess, readApiKey, useKey } from '../requests/use-key.ts';
import { logProblem } from '../requests/watch-requests.ts';
import type { CallApi, OperationInput } from './create-mcp-server.ts';

const mcpPollMs = 1_000;

/**
 * The Model Context Protocol over Streamable HTTP, without sessions: any process answers any request. The key decides the project.
 * https://modelcontextprotocol.io/specification/2025-11-25/basic/transports
 */
export function createMcpRoute(parts: ApiParts): Router {
  const callWith = createCallApi(parts);
  const router = Router();
  router
    .route('/mcp')
    .post(async (request, response) => {
      const key = readApiKey(request);
      // A page of another site cannot know the key. https://modelcontextprotocol.io/specification/2025-11-25/basic/transports#security-warning
      if (![undefined, parts.config.publicUrl].includes(request.get('origin'))) {
        const message = 'pages of other sites cannot use this address';
        response.status(403).json({ jsonrpc: '2.0', error: { code: -32_000, message }, id: null });
        return;
      }
      requireJson(request);
      const { owner, repo } = await useKey(parts.store, key, async ({ apiKey }) => apiKey);
      using body = await parts.readBody(request, response, { maxBytes: maxBodyBytes(parts.config.openai) });
      const message = parseJsonBody(body.bytes);
      if (Array.isArray(message))
        throw new HttpProblem('invalid-request', 'Invalid request: send one message, not a batch of several.');

      const left = new AbortController();
      response.once('close', () => left.abort(new Error('the client has left')));
      const { signal } = left;
      // The library costs memory and half a second, which a service without such clients saves.
      const [{ StreamableHTTPServerTransport }, { createMcpServer }] = await Promise.all([
        import('@modelcontextprotocol/sdk/server/streamableHttp.js'),
        import('./create-mcp-server.ts'),
      ]);
      const server = createMcpServer({
        callApi: callWith({ request, key, left: signal }),
        repository: `${owner}/${repo}`,
        repetitionKey: findRepetitionKey(message),
        pause: () => pause(mcpPollMs, signal),
      });
      const transport = new StreamableHTTPServerTransport({ enableJsonResponse: true });
      response.once('close', () => void server.close());
      await server.connect(transport);
      await transport.handleRequest(request, response, message);
    })
    .all(allowOnly('POST'));
  return router;
}

const identified = z.object({ id: z.string().min(16).max(200), params: z.unknown() });

/**
 * Many clients count their requests from 0 in each session, so only a long id, such as a UUID, tells a repetition from another request. With
 * its arguments: the same id with others is another request.
 */
function findRepetitionKey(message: unknown): string | undefined {
  const { success, data } = identified.safeParse(message);
  if (!success) return undefined;
  const digest = createHash('sha256').update(JSON.stringify([data.id, data.params]));
  return `mcp-${digest.digest('base64url')}`;
}

/**
 * Calls the API within the process, for a request to another path: the key, limits, idempotency and problems are the same as by HTTP. `left`
 * aborts when the client is gone.
 */
function createCallApi(parts: ApiParts) {
  const handlers = new Map(endpoints.map((endpoint) => [endpoint.operationId, createStrictHandler(endpoint, parts)]));
  return ({ request, key, left }: { request: Request; key: string; left: AbortSignal }): CallApi =>
    async (operationId, input = {}) => {
      const handle = handlers.get(operationId);
      if (!handle) throw new Error(`the API has no operation ${operationId}`);
      try {
        const reply = await useKey(parts.store, key, (access: KeyAccess) =>
          handle({ ...access, ...toCall(input, request), left }),
        );
        if ('text' in reply) return { isRefused: false, text: reply.text };
        return { isRefused: false, text: 'body' in reply ? JSON.stringify(reply.body) : '' };
      } catch (error) {
        const problem = toProblem(error);
        logProblem(request.log, problem, error);
        return { isRefused: true, text: JSON.stringify(formatProblem(problem, String(request.id))) };
      }
    };
}

function toCall({ params = {}, query = {}, body, idempotencyKey, accept }: OperationInput, { log }: Request) {
  const bytes = Buffer.from(body === undefined ? '' : JSON.stringify(body));
  const sent = Object.entries(query).flatMap(([name, value]) => (value === undefined ? [] : [[name, String(value)]]));
  const request: ApiRequest = {
    params,
    query: Object.fromEntries(sent),
    headers: {
      'content-type': 'application/json',
      'content-length': String(bytes.length),
      ...(idempotencyKey === undefined ? {} : { 'idempotency-key': idempotencyKey }),
    },
    accepts: (types) => types.find((type) => type === accept) ?? false,
    log,
  };
  return { request, readBody: async () => ({ bytes, [Symbol.dispose]() {} }) };
}
