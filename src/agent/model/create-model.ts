import { OpenAI } from 'openai';
import type { ReasoningEffort } from 'openai/resources/shared';
import { realTiming } from '../../timing.ts';
import { chatProtocol } from './chat.ts';
import { type AnswerManner, createAsk } from './create-ask.ts';
import { createBoundedFetch } from './event-stream.ts';
import type { Model } from './model.ts';
import { responsesProtocol } from './responses.ts';
import { createRetryingModel, type Retrying } from './retrying-model.ts';
import { createDialects } from './server-dialects.ts';
import { withReadableErrors } from './server-error.ts';

const maxErrorBytes = 16 * 1024;

/** `apiKey` may be empty for servers without keys. A null `baseUrl` means OpenAI. `idleTimeoutMs` is between two events of a stream. */
export function createModel({
  api,
  apiKey,
  baseUrl,
  model,
  reasoningEffort = null,
  findDialect = createDialects(),
  idleTimeoutMs = realTiming.model.idleTimeoutMs,
  requestTimeoutMs = realTiming.model.requestTimeoutMs,
  maxAnswerBytes = 32 * 1024 * 1024,
  onManner,
  ...retrying
}: {
  api: 'responses' | 'chat';
  apiKey: string;
  baseUrl: string | null;
  model: string;
  /** null: the model's own. */
  reasoningEffort?: ReasoningEffort;
  /** Shared by the models of a process. */
  findDialect?: ReturnType<typeof createDialects>;
  idleTimeoutMs?: number;
  requestTimeoutMs?: number;
  maxAnswerBytes?: number;
  onManner?: (manner: AnswerManner) => void;
} & Retrying): Model {
  const protocol = api === 'responses' ? responsesProtocol : chatProtocol;
  const url = addressOf(baseUrl, protocol.path);
  const client = new OpenAI({
    apiKey: apiKey === '' ? 'none' : apiKey,
    baseURL: openaiUrl,
    defaultHeaders: { authorization: null, ...writeAuthorization(baseUrl, apiKey) },
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
    fetch: withReadableErrors(createBoundedFetch({ maxBytes: maxAnswerBytes, maxErrorBytes })),
  });
  const redact = (text: string) => (apiKey === '' ? text : text.replaceAll(apiKey, '[secret]'));
  const ask = createAsk({
    client,
    url,
    protocol,
    model,
    reasoningEffort,
    dialect: findDialect(url, model),
    timeouts: { idleTimeoutMs, requestTimeoutMs },
    redact,
    onManner,
  });
  return createRetryingModel({ ask, model, redact, ...retrying });
}

/** The default of the openai SDK. */
export const openaiUrl = 'https://api.openai.com/v1';

/** The address of a route. A query of the base URL, such as Azure's `?api-version=…`, stays at its end. */
export function addressOf(baseUrl: string | null, path: string): string {
  const url = new URL(baseUrl ?? openaiUrl);
  url.pathname = `${url.pathname.replace(/\/$/, '')}${path}`;
  url.hash = '';
  return url.href;
}

/**
 * `apiKey` may be empty for servers without keys. Azure takes keys in a header of its own, and only Entra's tokens as others do.
 * https://learn.microsoft.com/azure/ai-foundry/openai/reference#authentication
 */
export function writeAuthorization(
  baseUrl: string | null,
  apiKey: string,
): { authorization: string } | { 'api-key': string } {
  const isAzure = baseUrl !== null && new URL(baseUrl).hostname.endsWith('.azure.com');
  if (isAzure && !apiKey.startsWith('eyJ')) return { 'api-key': apiKey };
  return { authorization: `Bearer ${apiKey === '' ? 'none' : apiKey}` };
}
