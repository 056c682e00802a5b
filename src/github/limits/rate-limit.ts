import { z } from 'zod';
import type { GitHubResponse } from '../client/failed-request.ts';
import { parseRefusal } from '../refusals/read-refusal.ts';

const longestLimitMs = 24 * 3600_000;

/** https://docs.github.com/en/rest/using-the-rest-api/best-practices-for-using-the-rest-api#handle-rate-limit-errors-appropriately */
const leastLimitMs = 60_000;

export interface Limit {
  /** `primary`: the hour's requests are used up. */
  kind: 'primary' | 'secondary';
  until: Date;
  /** Whether GitHub named a time. Otherwise `until` is its minimum, and must grow with each further refusal. */
  isStated: boolean;
}

/** `retry-after` first, then `x-ratelimit-reset` when nothing remains, then at least a minute:
 * https://docs.github.com/en/rest/using-the-rest-api/rate-limits-for-the-rest-api#exceeding-the-rate-limit */
export function findLimit(answer: GitHubResponse, now: Date): Limit | undefined {
  const isQuery = answer.status === 200 && isLimitedQuery(answer.data);
  const isTooQuick = answer.status === 422 && isContentLimit(answer.data);
  if (answer.status !== 403 && answer.status !== 429 && !isQuery && !isTooQuick) return undefined;
  const { headers } = answer;
  const isExhausted = headers['x-ratelimit-remaining'] === '0';
  const stop = (waitMs: number) => createLimit({ kind: isExhausted ? 'primary' : 'secondary', now, waitMs });
  if (headers['retry-after'] !== undefined) {
    const seconds = Number(headers['retry-after']);
    const isDate = Number.isNaN(seconds);
    return stop(
      isDate ? (parseDate(headers['retry-after']) ?? Number.NaN) - readGitHubTime(headers, now) : seconds * 1000,
    );
  }
  if (isExhausted) return stop(readResetMs(headers, now));
  return answer.status === 429 || isQuery || isTooQuick || isSecondaryLimit(answer.data) ? stop(Number.NaN) : undefined;
}

/** The request was the hour's last: GitHub will refuse the next. */
export function findExhaustion({ headers }: { headers: GitHubResponse['headers'] }, now: Date): Limit | undefined {
  if (headers['x-ratelimit-remaining'] !== '0') return undefined;
  const limit = createLimit({ kind: 'primary', now, waitMs: readResetMs(headers, now) });
  return limit.isStated ? limit : undefined;
}

/** A 403 of the secondary limit may have no header that tells it from a refusal: GitHub documents only its message and link. */
function isSecondaryLimit(data: unknown): boolean {
  const body = z.object({ message: z.string().default(''), documentation_url: z.string().default('') }).safeParse(data);
  if (!body.success) return false;
  return (
    /secondary-rate-limits|#abuse-rate-limits/.test(body.data.documentation_url) ||
    /secondary rate limit/i.test(body.data.message)
  );
}

/** 422 for content created too quickly: https://github.com/cli/cli/issues/4801, https://github.com/cloudflare/pint/issues/699 */
function isContentLimit(data: unknown): boolean {
  const { message, errors } = parseRefusal(data);
  const isText = [message, ...errors.map((error) => error.message)].some((text) =>
    /was submitted too quickly/i.test(text),
  );
  return isText || errors.some(({ code }) => code === 'abuse');
}

/** GraphQL answers 200: https://docs.github.com/en/graphql/overview/rate-limits-and-query-limits-for-the-graphql-api#exceeding-the-rate-limit */
export function isLimitedQuery(data: unknown): boolean {
  const error = z.object({ type: z.string().default(''), message: z.string().default('') });
  const body = z.object({ errors: z.array(error) }).safeParse(data);
  if (!body.success) return false;
  return body.data.errors.some((error) => error.type === 'RATE_LIMITED' || isSecondaryLimit(error));
}

/** `waitMs` is NaN or negative where GitHub named no time. */
function createLimit({ kind, now, waitMs }: { kind: Limit['kind']; now: Date; waitMs: number }): Limit {
  const isStated = waitMs >= 0;
  // Both headers are rounded down to whole seconds.
  const statedMs = Math.min(waitMs, longestLimitMs) + 1000;
  return { kind, until: new Date(now.getTime() + (isStated ? statedMs : leastLimitMs)), isStated };
}

const readResetMs = (headers: GitHubResponse['headers'], now: Date): number =>
  Number(headers['x-ratelimit-reset'] ?? Number.NaN) * 1000 - readGitHubTime(headers, now);

const readGitHubTime = ({ date }: GitHubResponse['headers'], now: Date): number => parseDate(date) ?? now.getTime();

function parseDate(text: string | undefined): number | undefined {
  const time = Date.parse(text ?? '');
  return Number.isNaN(time) ? undefined : time;
}
