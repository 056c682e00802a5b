import { OpenAI } from 'openai';
import type { Log } from '../log.ts';
import { createBoundedFetch } from './bounded-fetch.ts';
import type { Model } from './model.ts';
import { createRetryingModel, type RequestReport } from './model-retry.ts';
import { createChatAsk } from './openai-chat.ts';
import { createResponsesAsk } from './openai-responses.ts';

const maxErrorBytes = 16 * 1024;

/**
 * A model behind an OpenAI server, or one that speaks its protocol: `responses` or `chat` (Chat Completions). `apiKey` may be empty
 * for servers that want none; `baseUrl` null is OpenAI's own. Times are in milliseconds: the longest silence between two events of a
 * stream, the longest single request, the first wait before a repeated one, the longest wait in all before the run gives its slot back.
 * `maxAnswerBytes` is far above what a model writes in one answer. `onRequest` is told of each try, also of those that fail.
 */
export function createModel({
  api,
  apiKey,
  baseUrl,
  model,
  log,
  idleTimeoutMs = 120_000,
  requestTimeoutMs = 600_000,
  attempts = 5,
  backoffMs = 1_000,
  longestWaitMs = 60_000,
  maxAnswerBytes = 32 * 1024 * 1024,
  onRequest,
}: {
  api: 'responses' | 'chat';
  apiKey: string;
  baseUrl: string | null;
  model: string;
  log?: Pick<Log, 'warn'>;
  idleTimeoutMs?: number;
  requestTimeoutMs?: number;
  attempts?: number;
  backoffMs?: number;
  longestWaitMs?: number;
  maxAnswerBytes?: number;
  onRequest?: (report: RequestReport) => void;
}): Model {
  const client = new OpenAI({
    apiKey: apiKey === '' ? 'none' : apiKey,
    baseURL: baseUrl,
    // Null keeps the SDK from reading these from the environment, which only our configuration does.
    adminAPIKey: null,
    organization: null,
    project: null,
    webhookSecret: null,
    logLevel: 'off',
    // The SDK repeats hopeless requests and ignores a Retry-After above a minute; model-retry.ts does it instead. A repeated request
    // carries no Idempotency-Key: OpenAI documents none for these routes, and its SDKs set none. An answer that got lost on its way is
    // paid twice; one that arrived is stored, and never asked for again. https://developers.openai.com/api/reference/overview
    maxRetries: 0,
    timeout: requestTimeoutMs,
    fetch: createBoundedFetch({ maxBytes: maxAnswerBytes, maxErrorBytes: maxErrorBytes }),
  });
  const createAsk = api === 'responses' ? createResponsesAsk : createChatAsk;
  const ask = createAsk({ client, model, timeouts: { idleTimeoutMs, requestTimeoutMs } });
  const observers = { ...(log && { log }), ...(onRequest && { onRequest }) };
  return createRetryingModel({ ask, model, attempts, backoffMs, longestWaitMs, ...observers });
}
