import { z } from 'zod';
import { isLimitedQuery } from '../limits/rate-limit.ts';
import { UnusableAnswer } from './failed-request.ts';

/** GraphQL refuses with status 200 and a list of errors. Has the shape of Octokit's RequestError, so `readFate` reads it. */
class GraphqlRefusal extends Error {
  override readonly name = 'GraphqlRefusal';
  readonly status: number;
  readonly response: unknown;

  constructor(response: { status: number }) {
    super('GitHub refused a GraphQL request');
    this.status = response.status;
    this.response = response;
  }
}

/** Error types that prove that nothing was done. GitHub does not document them; STALE_DATA: https://github.com/planetscale/ghcommit/pull/153 */
const refusals = new Set([
  'FORBIDDEN',
  'INSUFFICIENT_SCOPES',
  'NOT_FOUND',
  'RATE_LIMITED',
  'STALE_DATA',
  'UNPROCESSABLE',
]);

const errorSchema = z.object({ type: z.string().nullish(), extensions: z.unknown().optional() });
const answerSchema = z.object({
  data: z.record(z.string(), z.unknown()).nullish(),
  errors: z.array(errorSchema).optional(),
});

/** Throws `GraphqlRefusal` when all errors prove that nothing was done, else `UnusableAnswer`. GitHub's own failures (“Something went wrong
 * while executing your query. This may be the result of a timeout”) also have status 200 and an error without a type. */
export function assertGraphqlDone(answer: { status: number; data: unknown }): void {
  const { data, errors } = answerSchema.parse(answer.data);
  if (errors === undefined && data) return;
  const hasDoneNothing = Object.values(data ?? {}).every((value) => value === null);
  // Errors of an invalid query have no type, but `extensions`; GitHub did not start it.
  const isClear = ({ type, extensions }: z.infer<typeof errorSchema>) =>
    type ? refusals.has(type) : Boolean(extensions);
  const isRefused = isLimitedQuery(answer.data) || (errors ?? []).every(isClear);
  if (errors && errors.length > 0 && hasDoneNothing && isRefused) throw new GraphqlRefusal(answer);
  throw new UnusableAnswer('the answer to a GraphQL request is ambiguous');
}
