/** One entry of `errors`; `type` is GitHub's own: https://docs.github.com/en/graphql/guides/using-the-graphql-api-for-discussions */
export interface GraphqlProblem {
  message: string;
  type?: string;
  path?: string[];
  locations?: { line: number; column: number }[];
  extensions?: Record<string, unknown>;
}

/** An error that GraphQL sends in `errors` with status 200. */
export class GraphqlError extends Error {
  override readonly name = 'GraphqlError';
  readonly problem: GraphqlProblem;

  constructor(problem: GraphqlProblem) {
    super(problem.message);
    this.problem = problem;
  }
}
