import type { ApiError } from './api-error.ts';

const documentation = 'https://docs.github.com/rest';

/** GitHub's error body; `status` is a string in it. */
export const describeError = (error: Pick<ApiError, 'message' | 'status'> & Partial<Pick<ApiError, 'errors'>>) => ({
  message: error.message,
  ...(error.errors ? { errors: error.errors } : {}),
  documentation_url: documentation,
  status: String(error.status),
});

/** https://docs.github.com/en/rest/using-the-rest-api/rate-limits-for-the-rest-api#about-secondary-rate-limits */
export const describeSecondaryLimit = (status: number) => ({
  documentation_url: `${documentation}/overview/rate-limits-for-the-rest-api#about-secondary-rate-limits`,
  message: 'You have exceeded a secondary rate limit. Please wait a few minutes before you try again.',
  status: String(status),
});
