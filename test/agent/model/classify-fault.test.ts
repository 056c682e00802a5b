import { APIError } from 'openai';
import { expect, test } from 'vitest';
import { classifyFault, readRetryAfter } from '../../../src/agent/model/classify-fault.ts';

const now = Date.parse('2026-11-20T20:00:00Z');

test.each<{ name: string; headers: Record<string, string>; waitMs: number | undefined }>([
  { name: 'nothing', headers: {}, waitMs: undefined },
  { name: 'seconds', headers: { 'retry-after': '2' }, waitMs: 2_000 },
  { name: 'parts of a second', headers: { 'retry-after': '0.5' }, waitMs: 500 },
  { name: 'a date', headers: { 'retry-after': 'Fri, 20 Nov 2026 20:01:30 GMT' }, waitMs: 90_000 },
  { name: 'a date that has passed', headers: { 'retry-after': 'Fri, 20 Nov 2026 19:00:00 GMT' }, waitMs: 0 },
  { name: 'milliseconds', headers: { 'retry-after-ms': '250' }, waitMs: 250 },
  { name: 'milliseconds before seconds', headers: { 'retry-after-ms': '250', 'retry-after': '1' }, waitMs: 250 },
  { name: 'nonsense', headers: { 'retry-after': 'soon' }, waitMs: undefined },
])('$name', ({ headers, waitMs }) => {
  expect(readRetryAfter({ headers: new Headers(headers), now })).toBe(waitMs);
});

// As llama.cpp answers: https://github.com/ggml-org/llama.cpp/pull/15780
test.each([
  [{ code: 400, type: 'exceed_context_size_error', n_prompt_tokens: 14_429, n_ctx: 8_192 }, 'model_context'],
  [{ code: 'context_length_exceeded', type: 'invalid_request_error', param: 'input' }, 'model_context'],
  [{ code: 400, type: 'BadRequestError' }, 'model_invalid'],
])('a 400 with %j is %s', (body, reason) => {
  const error = APIError.generate(400, { error: { message: 'too long', ...body } }, undefined, new Headers());
  expect(classifyFault({ error, now })).toEqual({ kind: 'final', reason });
});
