import { validationFailed } from '../api/api-error.ts';

const longestBody = 65_536;
const longestTitle = 256;

export function refuseBadTitle(title: string): void {
  if (title.trim() === '') throw validationFailed({ resource: 'PullRequest', code: 'missing_field', field: 'title' });
  if ([...title].length > longestTitle) {
    const message = `title is too long (maximum is ${longestTitle} characters)`;
    throw validationFailed({ resource: 'PullRequest', code: 'custom', field: 'title', message });
  }
}

export function refuseLongBody(body: string | null): void {
  if (body === null || [...body].length <= longestBody) return;
  const message = `body is too long (maximum is ${longestBody} characters)`;
  throw validationFailed({ resource: 'PullRequest', code: 'custom', field: 'body', message });
}

export function refuseBadComment(
  body: string,
  resource: 'IssueComment' | 'PullRequestReviewComment' | 'PullRequestReview',
): void {
  if (body.trim() === '') throw validationFailed({ resource, code: 'missing_field', field: 'body' });
  if ([...body].length <= longestBody) return;
  const message = `Body is too long (maximum is ${longestBody} characters)`;
  throw validationFailed({ resource, code: 'unprocessable', field: 'data', message });
}
