import { OpenAI } from 'openai';
import { realTiming } from '../../timing.ts';
import { createChatAsk } from './chat.ts';
import { createBoundedFetch } from './event-stream.ts';
import type { Model } from './model.ts';
import { createResponsesAsk } from './responses.ts';
import { createRetryingModel, type Retrying } from './retrying-model.ts';

const maxErrorBytes = 16 * 1024;

/**
 * A model behind an OpenAI server, or one that speaks its protocol: `responses` or `chat` (Chat Completions). `apiKey` may be empty
 * for servers that want none; a `baseUrl` of null means OpenAI's own. `idleTimeoutMs` bounds the silence between two events of a stream,
 * `requestTimeoutMs` a whole request. `maxAnswerBytes` is far above what a model writes in one answer.
 */
export function createModel({
  api,
  apiKey,
  baseUrl,
  model,
  idleTimeoutMs = realTiming.model.idleTimeoutMs,
  requestTimeoutMs = realTiming.model.requestTimeoutMs,
  maxAnswerBytes = 32 * 1024 * 1024,
  ...retrying
}: {
  api: 'responses' | 'chat';
  apiKey: string;
  baseUrl: string | null;
  model: string;
  idleTimeoutMs?: number;
  requestTimeoutMs?: number;
  maxAnswerBytes?: number;
} & Retrying): Model {
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
    // carries no Idempotency-Key: OpenAI documents none for these routes, and its SDKs set none. An answer that is lost on its way is paid
    // for twice; one that arrived is stored and never asked for again. https://developers.openai.com/api/reference/overview
    maxRetries: 0,
    timeout: requestTimeoutMs,
    fetch: createBoundedFetch({ maxBytes: maxAnswerBytes, maxErrorBytes: maxErrorBytes }),
  });
  const createAsk = api === 'responses' ? createResponsesAsk : createChatAsk;
  const ask = createAsk({ client, model, timeouts: { idleTimeoutMs, requestTimeoutMs } });
  return createRetryingModel({ ask, model, ...retrying });
}
