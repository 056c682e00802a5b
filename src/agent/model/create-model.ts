import { OpenAI } from 'openai';
import type { ReasoningEffort } from 'openai/resources/shared';
import { realTiming } from '../../timing.ts';
import { createChatAsk } from './chat.ts';
import { createBoundedFetch } from './event-stream.ts';
import type { Model } from './model.ts';
import { createResponsesAsk } from './responses.ts';
import { createRetryingModel, type Retrying } from './retrying-model.ts';

const maxErrorBytes = 16 * 1024;

/** `apiKey` may be empty for servers without keys. A null `baseUrl` means OpenAI. `idleTimeoutMs` is between two events of a stream. */
export function createModel({
  api,
  apiKey,
  baseUrl,
  model,
  reasoningEffort = null,
  idleTimeoutMs = realTiming.model.idleTimeoutMs,
  requestTimeoutMs = realTiming.model.requestTimeoutMs,
  maxAnswerBytes = 32 * 1024 * 1024,
  ...retrying
}: {
  api: 'responses' | 'chat';
  apiKey: string;
  baseUrl: string | null;
  model: string;
  /** null: the model's own. */
  reasoningEffort?: ReasoningEffort;
  idleTimeoutMs?: number;
  requestTimeoutMs?: number;
  maxAnswerBytes?: number;
} & Retrying): Model {
  const client = new OpenAI({
    apiKey: apiKey === '' ? 'none' : apiKey,
    baseURL: baseUrl,
    // Null keeps the SDK from reading these from the environment.
    adminAPIKey: null,
    organization: null,
    project: null,
    webhookSecret: null,
    logLevel: 'off',
    // retrying-model.ts retries instead: the SDK retries hopeless requests and ignores a Retry-After above a minute. A retry has no
    // Idempotency-Key, because OpenAI documents none: a lost answer is paid twice. https://developers.openai.com/api/reference/overview
    maxRetries: 0,
    timeout: requestTimeoutMs,
    fetch: createBoundedFetch({ maxBytes: maxAnswerBytes, maxErrorBytes: maxErrorBytes }),
  });
  const createAsk = api === 'responses' ? createResponsesAsk : createChatAsk;
  const ask = createAsk({ client, model, reasoningEffort, timeouts: { idleTimeoutMs, requestTimeoutMs } });
  return createRetryingModel({ ask, model, ...retrying });
}
