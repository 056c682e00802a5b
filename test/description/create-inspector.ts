import { Ajv2020 } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import type { Exchange } from '../../local/github/api/exchange.ts';
import type { Delivery } from '../../local/github/events/webhook-delivery.ts';
import { type Description, type Operation, readDescription } from './read-description.ts';
import { type Schema, toJsonSchema } from './to-json-schema.ts';

export type Inspector = ReturnType<typeof createInspector>;

/** Holds requests, answers and webhooks against GitHub's description. Each function returns the violations, in words. */
export function createInspector(description: Description = readDescription()) {
  const open = createValidate(description, { isClosed: false });
  // Nobody would notice a field or a parameter that GitHub ignores.
  const closed = createValidate(description, { isClosed: true });
  const closedAndCoerced = createValidate(description, { isClosed: true, coerceTypes: true });
  const errorSchema = { anyOf: ['basic-error', 'validation-error', 'validation-error-simple'].map(component) };

  function inspectRequest(operation: Operation, { query, body }: Exchange): string[] {
    const inQuery = operation.parameters.filter((parameter) => parameter.in === 'query');
    const querySchema = {
      type: 'object',
      properties: Object.fromEntries(inQuery.map(({ name, schema }) => [name, schema])),
      required: inQuery.filter(({ required }) => required).map(({ name }) => name),
      additionalProperties: false,
    };
    const problems = closedAndCoerced(querySchema, { ...query }).map((problem) => `query${problem}`);
    const bodySchema = operation.requestBody?.content['application/json'].schema;
    if (body === undefined)
      return operation.requestBody?.required ? [...problems, 'the request lacks a body'] : problems;
    if (bodySchema === undefined) return [...problems, 'the request has a body'];
    return [...problems, ...closed(bodySchema, body).map((problem) => `request${problem}`)];
  }

  function inspectAnswer(operation: Operation, { status, answer }: Exchange): string[] {
    const schema = operation.findSchema(status);
    // The answer to every conditional GET: the description names it at some.
    if (status === 304) return answer === undefined ? [] : ['the answer has a body'];
    if (status < 300 && schema === undefined) return ['the status is not described'];
    if (status < 300 && schema === null) return answer === undefined ? [] : ['the answer has a body'];
    // The description leaves out most redirects and errors, and the body of some.
    return open(schema ?? errorSchema, answer).map((problem) => `answer${problem}`);
  }

  return {
    inspectExchange(exchange: Exchange): string[] {
      const { method, path, status } = exchange;
      // Where a redirect from a former name leads: it is described under the name only.
      const named = path.replace(/^\/repositories\/\d+/, '/repos/acme/docs');
      const operation = description.findOperation(method, named);
      const problems = operation
        ? [...inspectRequest(operation, exchange), ...inspectAnswer(operation, exchange)]
        : ['the route is not described'];
      return problems.map((problem) => `${method} ${path} ${status}: ${problem}`);
    },
    inspectDelivery({ event, action, payload }: Pick<Delivery, 'event' | 'action'> & { payload: unknown }): string[] {
      const schema = description.findWebhookSchema(event, action);
      const problems = schema === undefined ? ['the event is not described'] : open(schema, payload);
      return problems.map((problem) => `${event} ${action ?? ''}: ${problem}`);
    },
  };
}

const component = (name: string) => ({ $ref: `#/components/schemas/${name}` });

function createValidate(
  { schemas }: Description,
  { isClosed, coerceTypes = false }: { isClosed: boolean; coerceTypes?: boolean },
): (schema: unknown, value: unknown) => string[] {
  const base = 'https://api.github.com/description';
  const conversion = { base, isClosed };
  const ajv = new Ajv2020({ strict: false, allErrors: true, coerceTypes, logger: false });
  formats.default(ajv);
  // The address of a bot has brackets: 7+pagewright[bot]@users.noreply.github.com.
  ajv.addFormat('email', /^[^@\s]+@[^@\s]+$/);
  const whole: Schema = { $id: base, components: { schemas: toConverted(schemas, conversion) } };
  ajv.addSchema(whole);
  const compile = new Map<unknown, ReturnType<typeof ajv.compile>>();
  return (schema, value) => {
    const validate = compile.get(schema) ?? ajv.compile(Object(toJsonSchema(schema, conversion)));
    compile.set(schema, validate);
    if (validate(value)) return [];
    return (validate.errors ?? []).map(({ instancePath, message, params }) =>
      [instancePath, message, JSON.stringify(params)].join(' '),
    );
  };
}

const toConverted = (schemas: Schema, conversion: Parameters<typeof toJsonSchema>[1]): Schema =>
  Object.fromEntries(Object.entries(schemas).map(([name, schema]) => [name, toJsonSchema(schema, conversion)]));
