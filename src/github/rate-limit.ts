import { z } from 'zod';
import type { Answer } from './failed-request.ts';

const leastWaitMs = 60_000;

/**
 * When GitHub will listen again, if this answer says that a rate limit was hit; undefined for every other answer.
 * The order is GitHub's own: `retry-after`, then `x-ratelimit-reset` when nothing remains, then at least a minute.
 * https://docs.github.com/en/rest/using-the-rest-api/rate-limits-for-the-rest-api#exceeding-the-rate-limit
 */
export function findLimitEnd(answer: Answer, now: Date): Date | undefined {
  const isQuery = answer.status === 200 && isLimitedQuery(answer.data);
  if (answer.status !== 403 && answer.status !== 429 && !isQuery) return undefined;
  const { headers } = answer;
  // GitHub's times are by GitHub's clock, which the answer carries.
  const githubNow = parseDate(headers.date) ?? now.getTime();
  if (headers['retry-after'] !== undefined) {
    const seconds = Number(headers['retry-after']);
    const waitMs = Number.isNaN(seconds)
      ? (parseDate(headers['retry-after']) ?? Number.NaN) - githubNow
      : seconds * 1000;
    return after(now, waitMs);
  }
  if (headers['x-ratelimit-remaining'] === '0') {
    return after(now, Number(headers['x-ratelimit-reset'] ?? Number.NaN) * 1000 - githubNow);
  }
  return answer.status === 429 || isQuery || isSecondaryLimit(answer.data) ? after(now, Number.NaN) : undefined;
}

/**
 * A 403 of the secondary limit may come without any header that tells it from a refusal. GitHub documents that only its message says
 * so, and the documentation it links to; this is the one place that reads either.
 */
function isSecondaryLimit(data: unknown): boolean {
  const body = z.object({ message: z.string().default(''), documentation_url: z.string().default('') }).safeParse(data);
  if (!body.success) return false;
  return (
    /secondary-rate-limits|#abuse-rate-limits/.test(body.data.documentation_url) ||
    /secondary rate limit/i.test(body.data.message)
  );
}

/**
 * GraphQL answers 200 at both limits, and says so in its errors.
 * https://docs.github.com/en/graphql/overview/rate-limits-and-query-limits-for-the-graphql-api#exceeding-the-rate-limit
 */
export function isLimitedQuery(data: unknown): boolean {
  const error = z.object({ type: z.string().default(''), message: z.string().default('') });
  const body = z.object({ errors: z.array(error) }).safeParse(data);
  if (!body.success) return false;
  return body.data.errors.some((error) => error.type === 'RATE_LIMITED' || isSecondaryLimit(error));
}

/** NaN, or a time that is past: GitHub did not say how long, which means a minute at least. */
function after(now: Date, waitMs: number): Date {
  // One second more, because both headers are cut to whole seconds.
  return new Date(now.getTime() + (waitMs >= 0 ? waitMs + 1000 : leastWaitMs));
}

function parseDate(text: string | undefined): number | undefined {
  const time = Date.parse(text ?? '');
  return Number.isNaN(time) ? undefined : time;
}
