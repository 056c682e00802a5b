import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';

const json = z.object({ 'application/json': z.object({ schema: z.unknown() }) });
const parameterSchema = z.object({
  name: z.string(),
  in: z.string(),
  required: z.boolean().default(false),
  schema: z.unknown(),
});
const bodySchema = z.object({ required: z.boolean().default(false), content: json });
const responseSchema = z.object({ content: json.optional().catch(undefined) });
const operationSchema = z.object({
  operationId: z.string(),
  parameters: z.array(z.unknown()).default([]),
  requestBody: bodySchema.optional(),
  responses: z.record(z.string(), z.unknown()),
});
const descriptionSchema = z.object({
  paths: z.record(z.string(), z.record(z.string(), z.unknown())),
  'x-webhooks': z.record(z.string(), z.object({ post: z.looseObject({ requestBody: bodySchema }) })),
  components: z.object({ schemas: z.record(z.string(), z.unknown()) }).loose(),
});

export type Description = ReturnType<typeof readDescription>;
export type Operation = NonNullable<ReturnType<Description['findOperation']>>;

/** Where the description is wrong about github.com: what is at this place, and what belongs there. */
const corrections: { place: string[]; value: unknown }[] = [
  {
    // The account would be a user and an enterprise at once.
    place: ['paths', '/app/installations', 'get', 'responses', '200', 'content', 'application/json', 'schema', 'items'],
    value: { $ref: '#/components/schemas/installation' },
  },
  {
    // As in every other schema of a label: one that addLabels creates has no description.
    place: [
      'components',
      'schemas',
      'pull-request-simple',
      'properties',
      'labels',
      'items',
      'properties',
      'description',
    ],
    value: { type: 'string', nullable: true },
  },
];

/** Written by take-description.ts. */
export const descriptionFile = join(import.meta.dirname, 'github-description.json');

/** GitHub's own description of its REST API and webhooks: https://github.com/octokit/openapi, of github.com. */
export function readDescription() {
  const description = descriptionSchema.parse(readCorrected());
  const paths = Object.keys(description.paths).map((template) => ({ template, parts: template.split('/').slice(1) }));

  /** Follows a `$ref`, as `#/components/parameters/owner`. */
  function resolve(value: unknown): unknown {
    const reference = z.object({ $ref: z.string() }).safeParse(value);
    if (!reference.success) return value;
    return reference.data.$ref.split('/').slice(1).reduce<unknown>(readField, description);
  }

  return {
    resolve,
    schemas: description.components.schemas,
    /** The schema of a webhook's payload: `pull_request.closed` is described as `pull-request-closed`. */
    findWebhookSchema(event: string, action: string | null): unknown {
      const name = [event, action].filter((part) => part !== null).join('-');
      const found = description['x-webhooks'][name.replaceAll('_', '-')];
      return found?.post.requestBody.content['application/json'].schema;
    },
    /** Every action of an event. */
    listWebhooks(event: string) {
      const prefix = event.replaceAll('_', '-');
      return Object.keys(description['x-webhooks']).flatMap((key) => {
        const action = key === prefix ? null : key.slice(prefix.length + 1).replaceAll('-', '_');
        if (key !== prefix && !key.startsWith(`${prefix}-`)) return [];
        const schema = this.findWebhookSchema(event, action);
        // `repository-ruleset-created` is an action of another event.
        const actions = z.object({ properties: z.object({ action: z.object({ enum: z.array(z.string()) }) }) });
        const isAction =
          action === null || actions.safeParse(resolve(schema)).data?.properties.action.enum[0] === action;
        return isAction ? [{ event, action, schema }] : [];
      });
    },
    findOperation(method: string, path: string) {
      const parts = path.split('/').slice(1);
      const matching = paths.filter((each) => matches(each.parts, parts));
      // `/repos/{owner}/{repo}/pulls/comments/{comment_id}` before `/repos/{owner}/{repo}/pulls/{pull_number}/comments`.
      const [template] = matching.toSorted((a, b) => countNames(a.parts) - countNames(b.parts));
      const found = template && description.paths[template.template]?.[method.toLowerCase()];
      if (!found) return undefined;
      const operation = operationSchema.parse(found);
      const findSchema = (status: string): unknown =>
        responseSchema.parse(resolve(operation.responses[status])).content?.['application/json'].schema ?? null;
      const success = Object.keys(operation.responses).find((status) => status.startsWith('2')) ?? '200';
      return {
        operationId: operation.operationId,
        parameters: operation.parameters.map((each) => parameterSchema.parse(resolve(each))),
        requestBody: operation.requestBody,
        /** Undefined: not described; null: described, without a body. */
        findSchema: (status: number): unknown =>
          operation.responses[status] === undefined ? undefined : findSchema(String(status)),
        success: { status: Number(success), schema: findSchema(success) },
      };
    },
  };
}

function readCorrected(): unknown {
  const description: unknown = JSON.parse(readFileSync(descriptionFile, 'utf8'));
  for (const { place, value } of corrections) {
    const parent = place.slice(0, -1).reduce(readField, description);
    const name = place.at(-1) ?? '';
    if (readField(parent, name) === undefined) throw new Error(`${place.join('/')} is gone from the description`);
    Reflect.set(Object(parent), name, value);
  }
  return description;
}

const readField = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined;

const isName = (part: string) => part.startsWith('{');
const countNames = (parts: string[]) => parts.filter(isName).length;

/** These hold slashes: `contents/{path}`, `git/ref/{ref}`, `rules/branches/{branch}`. */
const manySegments = ['{path}', '{ref}', '{branch}'];

function matches(template: string[], parts: string[]): boolean {
  const last = template.at(-1) ?? '';
  const isLong = manySegments.includes(last) && parts.length > template.length;
  if (!isLong && parts.length !== template.length) return false;
  return template.every((part, index) => isName(part) || part === parts[index]);
}
