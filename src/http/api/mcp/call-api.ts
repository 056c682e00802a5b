import type { Request } from 'express';
import { formatProblem, toProblem } from '../../problem.ts';
import { logProblem } from '../answer-error.ts';
import { type ApiParts, createStrictHandler } from '../endpoint.ts';
import { endpoints } from '../endpoints.ts';
import { type ApiRequest, type KeyAccess, useKey } from '../requests/project-route.ts';

export interface OperationInput {
  params?: Record<string, string>;
  query?: Record<string, string | number | undefined>;
  /** As JSON. */
  body?: object;
  idempotencyKey?: string | undefined;
  /** Instead of JSON. */
  accept?: string;
}

/** The body of an answer. */
export interface ApiAnswer {
  isRefused: boolean;
  text: string;
}

/** Carries out an operation of the API's description by its `operationId`. */
export type CallApi = (operationId: string, input?: OperationInput) => Promise<ApiAnswer>;

/**
 * Calls the API within the process, for a request to another path: the key, limits, idempotency and problems are the same as by HTTP. `left`
 * aborts when the client is gone.
 */
export function createCallApi(parts: ApiParts) {
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
