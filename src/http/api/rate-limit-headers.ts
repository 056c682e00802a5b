import type { RateState } from '../../store/tables/rate-counters.ts';

const windowSeconds = 3600;

/**
 * How much of its hour a project has left, in the fields of
 * https://datatracker.ietf.org/doc/html/draft-ietf-httpapi-ratelimit-headers-11; none where nothing is limited.
 */
export function formatRateLimit(rate: RateState | null): Record<string, string> {
  if (!rate) return {};
  return {
    'RateLimit-Policy': `"project";q=${rate.limit};w=${windowSeconds}`,
    RateLimit: `"project";r=${rate.remaining};t=${rate.resetSeconds}`,
  };
}
