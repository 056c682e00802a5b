import { z } from 'zod';
import { ApiError } from '../api/api-error.ts';
import { type Answer, type Call, ok, type Route } from '../routes/route.ts';
import type { Token } from '../state/world.ts';
import { createCommitOnBranch, createCommitOnBranchInput } from './create-commit-on-branch.ts';
import { GraphqlError } from './graphql-error.ts';
import { type Field, parseDocument } from './parse-document.ts';
import { resolveValue, select, validateSelection } from './select.ts';

const requestBody = z.object({
  query: z.string(),
  variables: z.record(z.string(), z.unknown()).nullish(),
});

/**
 * GraphQL as far as an App needs it that cannot sign commits: the one mutation `createCommitOnBranch`.
 * https://docs.github.com/en/graphql/guides/forming-calls-with-graphql
 */
export const graphqlRoute: Route = { method: 'POST', path: '/graphql', as: 'installation', handle };

async function handle(call: Call): Promise<Answer> {
  const { caller } = call;
  const body = requestBody.safeParse(call.body);
  if (!body.success) throw new ApiError(400, 'A query attribute must be specified and must be a string.');
  if (caller.kind !== 'installation') throw new ApiError(401, 'This endpoint requires you to be authenticated.');
  try {
    return await answer(call, caller.token, body.data.query, body.data.variables ?? {});
  } catch (error) {
    if (error instanceof GraphqlError) return ok({ errors: [error.problem] });
    throw error;
  }
}

async function answer(call: Call, token: Token, query: string, variables: Record<string, unknown>): Promise<Answer> {
  const { kind, selection } = parseDocument(query);
  validateSelection(kind === 'mutation' ? 'Mutation' : 'Query', selection, [kind]);
  const data: Record<string, unknown> = {};
  const errors: GraphqlError['problem'][] = [];
  const inputs = selection.map((field) => readInput(field, variables));
  // Mutations are carried out one after the other: https://spec.graphql.org/October2021/#sec-Mutation
  for (const [index, field] of selection.entries()) {
    const { key, location } = field;
    const input = inputs[index];
    try {
      const made = input && (await createCommitOnBranch(call.world, token, input));
      data[key] = select('CreateCommitOnBranchPayload', field.selection, made);
    } catch (error) {
      if (!(error instanceof GraphqlError)) throw error;
      const { type, message } = error.problem;
      const extensions = type === 'FORBIDDEN' ? { extensions: { saml_failure: false } } : {};
      errors.push({ ...(type ? { type } : {}), path: [key], ...extensions, locations: [location], message });
      data[key] = null;
    }
  }
  return ok({ data, ...(errors.length > 0 ? { errors } : {}) });
}

function readInput({ name, args, location }: Field, variables: Record<string, unknown>) {
  if (name === '__typename') return undefined;
  const value = resolveValue(args.input, variables);
  const parsed = createCommitOnBranchInput.safeParse(value);
  if (parsed.success) return parsed.data;
  const problems = parsed.error.issues.map(({ path, message }) => ({ path, explanation: message }));
  const first = problems[0];
  throw new GraphqlError({
    message: `Variable $input of type CreateCommitOnBranchInput! was provided invalid value for ${first?.path.join('.')} (${first?.explanation})`,
    locations: [location],
    extensions: { value, problems },
  });
}
