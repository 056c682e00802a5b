import { z } from 'zod';
import { ApiError } from '../api/api-error.ts';
import { type Answer, type Call, ok, onApi } from '../routes/route.ts';
import type { Token } from '../state/world.ts';
import { convertToDraft, convertToDraftInput } from './convert-to-draft.ts';
import { createCommitOnBranch, createCommitOnBranchInput } from './create-commit-on-branch.ts';
import { GraphqlError } from './graphql-error.ts';
import { type Field, parseDocument } from './parse-document.ts';
import { presentThreads, repositoryArguments } from './review-threads.ts';
import { resolveValue, select, types, validateSelection } from './select.ts';

const requestBody = z.object({
  query: z.string(),
  variables: z.record(z.string(), z.unknown()).nullish(),
});

/**
 * GraphQL as far as an App needs it: `createCommitOnBranch` to sign commits, `convertPullRequestToDraft` and resolved threads, which
 * REST lacks.
 * https://docs.github.com/en/graphql/guides/forming-calls-with-graphql
 */
export const graphqlRoute = onApi.post('/graphql', 'installation', handle);

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
  const planned = selection.map((field) => plan(call, token, { field, variables }));
  // Mutations are carried out one after the other: https://spec.graphql.org/October2021/#sec-Mutation
  for (const [index, field] of selection.entries()) {
    const { key, location, name } = field;
    try {
      const made = await planned[index]?.();
      const root = kind === 'mutation' ? 'Mutation' : 'Query';
      data[key] = select(types[root]?.[name] ?? '', field.selection, made, variables);
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

/** Reads the input; GraphQL validates before it executes. */
function plan(
  { world }: Call,
  token: Token,
  { field, variables }: { field: Field; variables: Record<string, unknown> },
): () => Promise<unknown> {
  const value = resolveValue(field.args.input, variables);
  switch (field.name) {
    case 'createCommitOnBranch': {
      const input = parseInput(createCommitOnBranchInput, value, { type: 'CreateCommitOnBranchInput', field });
      return () => createCommitOnBranch(world, token, input);
    }
    case 'convertPullRequestToDraft': {
      const input = parseInput(convertToDraftInput, value, { type: 'ConvertPullRequestToDraftInput', field });
      return () => convertToDraft(world, token, input);
    }
    case 'repository': {
      const found = repositoryArguments.safeParse(resolveValue({ fields: field.args }, variables));
      return async () => found.data && presentThreads(world, token, found.data);
    }
    default:
      return async () => undefined;
  }
}

function parseInput<Input>(
  schema: z.ZodType<Input>,
  value: unknown,
  { type, field: { location } }: { type: string; field: Field },
): Input {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  const problems = parsed.error.issues.map(({ path, message }) => ({ path, explanation: message }));
  const first = problems[0];
  throw new GraphqlError({
    message: `Variable $input of type ${type}! was provided invalid value for ${first?.path.join('.')} (${first?.explanation})`,
    locations: [location],
    extensions: { value, problems },
  });
}
