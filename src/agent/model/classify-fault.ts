import { APIConnectionError, APIError } from 'openai';
import { parseRetryAfter } from '../../retry-after.ts';
import { BrokenAnswer, type ModelRefusalReason } from './errors.ts';
import { stayingWords } from './quirks.ts';

/** A final fault ends the run; after a passing fault a retry may help. `detail` is a short text for people. */
export type ModelFault =
  | { kind: 'final'; reason: ModelRefusalReason }
  | { kind: 'passing'; name: PassingFault; retryAfterMs: number | undefined; detail: string };

/** `unreachable`: no answer. `broken_answer`: an incomplete answer. `server_error`: an error that the server reports. */
type PassingFault = 'unreachable' | 'broken_answer' | 'rate_limited' | 'server_error';

/** The code comes before the status: 429 may mean an empty account. https://developers.openai.com/api/docs/guides/error-codes */
export function classifyFault({ error, now }: { error: unknown; now: number }): ModelFault | undefined {
  if (error instanceof APIConnectionError)
    return { kind: 'passing', name: 'unreachable', retryAfterMs: undefined, detail: 'it could not be reached' };
  if (error instanceof BrokenAnswer) {
    const reason = reasonOfCodes(error.code);
    if (reason !== undefined) return { kind: 'final', reason };
    return { kind: 'passing', name: 'broken_answer', retryAfterMs: undefined, detail: 'its answer was incomplete' };
  }
  if (!(error instanceof APIError)) return undefined;
  const { status, headers, code, type, message } = error;
  const isStaying = stayingWords.some((words) => message.includes(words));
  const reason = isStaying ? 'model_invalid' : (reasonOfCodes(code, type) ?? reasonOfStatus(status));
  if (reason !== undefined) return { kind: 'final', reason };
  return {
    kind: 'passing',
    name: status === 429 ? 'rate_limited' : 'server_error',
    retryAfterMs: headers && readRetryAfter({ headers, now }),
    detail: status === undefined ? 'it reported an error in its answer' : `it answered ${status}`,
  };
}

const reasonOfCodes = (...codes: (string | null | undefined)[]): ModelRefusalReason | undefined =>
  codes.map((code) => refusalReasons.get(code ?? '')).find((reason) => reason !== undefined);

const refusalReasons = new Map<string, ModelRefusalReason>([
  ['invalid_api_key', 'model_auth'],
  ['insufficient_quota', 'model_quota'],
  ['billing_hard_limit_reached', 'model_quota'],
  ['billing_not_active', 'model_quota'],
  ['context_length_exceeded', 'model_context'],
  ['string_above_max_length', 'model_context'],
  // llama.cpp: https://github.com/ggml-org/llama.cpp/pull/15780
  ['exceed_context_size_error', 'model_context'],
  ['content_filter', 'model_refused'],
  ['content_policy_violation', 'model_refused'],
  ['invalid_prompt', 'model_refused'],
  ['bio_policy', 'model_refused'],
  ['misalignment_policy_violation', 'model_refused'],
  ['model_not_found', 'model_invalid'],
  // Far more than any model writes: a retry would cost as much and fail again.
  ['answer_too_large', 'model_invalid'],
]);

function reasonOfStatus(status: number | undefined): ModelRefusalReason | undefined {
  if (status === undefined) return undefined;
  const reasons: Record<number, ModelRefusalReason> = {
    401: 'model_auth',
    402: 'model_quota',
    403: 'model_auth',
    413: 'model_context',
  };
  const isPassing = (status >= 500 && status !== 501) || [408, 409, 429].includes(status);
  return isPassing ? undefined : (reasons[status] ?? 'model_invalid');
}

/** OpenAI's `retry-after-ms` counts before `Retry-After`. */
export function readRetryAfter({ headers, now }: { headers: Headers; now: number }): number | undefined {
  const milliseconds = Number(headers.get('retry-after-ms') ?? Number.NaN);
  if (Number.isFinite(milliseconds)) return Math.max(0, milliseconds);
  return parseRetryAfter(headers.get('retry-after'), now);
}
