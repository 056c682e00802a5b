import { GraphqlError } from './graphql-error.ts';
import type { Field, Value } from './parse-document.ts';

/** Field → the type of its value; null: a scalar. A small part of https://docs.github.com/en/graphql/reference/objects */
export const types: Record<string, Record<string, string | null>> = {
  Query: { repository: 'Repository' },
  Repository: { pullRequest: 'PullRequest' },
  PullRequestReviewThreadConnection: { nodes: 'PullRequestReviewThread', pageInfo: 'PageInfo' },
  PullRequestReviewThread: { isResolved: null, comments: 'PullRequestReviewCommentConnection' },
  PullRequestReviewCommentConnection: { nodes: 'PullRequestReviewComment' },
  PullRequestReviewComment: { databaseId: null },
  PageInfo: { hasNextPage: null, endCursor: null },
  Mutation: {
    createCommitOnBranch: 'CreateCommitOnBranchPayload',
    convertPullRequestToDraft: 'ConvertPullRequestToDraftPayload',
  },
  ConvertPullRequestToDraftPayload: { clientMutationId: null, pullRequest: 'PullRequest' },
  PullRequest: {
    reviewThreads: 'PullRequestReviewThreadConnection',
    id: null,
    isDraft: null,
    number: null,
    state: null,
    title: null,
    url: null,
  },
  CreateCommitOnBranchPayload: { clientMutationId: null, commit: 'Commit', ref: 'Ref' },
  Commit: {
    id: null,
    oid: null,
    abbreviatedOid: null,
    url: null,
    message: null,
    messageHeadline: null,
    messageBody: null,
    authoredDate: null,
    committedDate: null,
    tree: 'Tree',
    author: 'GitActor',
    committer: 'GitActor',
    signature: 'GitSignature',
  },
  Tree: { oid: null },
  GitActor: { name: null, email: null, date: null },
  GitSignature: { isValid: null, state: null, wasSignedByGitHub: null },
  Ref: { id: null, name: null, prefix: null, target: 'GitObject' },
  GitObject: { id: null, oid: null },
};

/** Throws unless every selected field exists; GraphQL validates before it executes. */
export function validateSelection(typeName: string, selection: Field[], path: string[]): void {
  for (const { name, key, selection: below, location } of selection) {
    if (name === '__typename') continue;
    const type = types[typeName]?.[name];
    const at = { path: [...path, key], locations: [location] };
    if (type === undefined) {
      const extensions = { code: 'undefinedField', typeName, fieldName: name };
      throw new GraphqlError({ ...at, extensions, message: `Field '${name}' doesn't exist on type '${typeName}'` });
    }
    if (type === null && below.length > 0) {
      const message = `Selections can't be made on scalars (field '${name}' returns a scalar but has selections)`;
      throw new GraphqlError({ ...at, message });
    }
    if (type !== null && below.length === 0) {
      const message = `Field must have selections (field '${name}' returns ${type} but has no selections. Did you mean '${name} { ... }'?)`;
      throw new GraphqlError({ ...at, message });
    }
    if (type !== null) validateSelection(type, below, at.path);
  }
}

/** Picks the selected fields; the selection fits the type. A function takes the arguments of its field. */
export function select(
  typeName: string,
  selection: Field[],
  value: unknown,
  variables: Record<string, unknown>,
): unknown {
  if (Array.isArray(value)) return value.map((item) => select(typeName, selection, item, variables));
  if (typeof value !== 'object' || value === null) return null;
  return Object.fromEntries(
    selection.map(({ name, key, args, selection: below }) => {
      if (name === '__typename') return [key, typeName];
      const given: unknown = Reflect.get(value, name) ?? null;
      const found: unknown = typeof given === 'function' ? given(resolveValue({ fields: args }, variables)) : given;
      const type = types[typeName]?.[name];
      return [key, type ? select(type, below, found, variables) : found];
    }),
  );
}

export function resolveValue(value: Value | undefined, variables: Record<string, unknown>): unknown {
  if (value === null || value === undefined || typeof value !== 'object') return value;
  if (Array.isArray(value)) return value.map((item) => resolveValue(item, variables));
  if ('variable' in value) return variables[value.variable];
  return Object.fromEntries(Object.entries(value.fields).map(([name, item]) => [name, resolveValue(item, variables)]));
}
