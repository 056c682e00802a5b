import { z } from 'zod';
import { isFields, parseJson } from './json.ts';

/** A tool threw: its cause decides what becomes of the run. */
export class ToolFailure extends Error {
  override readonly name = 'ToolFailure';

  constructor(tool: string, cause: unknown) {
    super(`could not run tool ${tool}`, { cause });
  }
}

export interface ToolResult {
  output: string;
  isError: boolean;
}

/** `parameters` is a JSON Schema. */
export interface Tool {
  name: string;
  description: string;
  parameters: Record<string, unknown>;
  /** Bad arguments return an error result; only internal errors throw. `failed`: tools whose earlier calls in the same answer failed. */
  call(argumentsText: string, signal: AbortSignal, failed?: ReadonlySet<string>): Promise<ToolResult>;
}

/** The zod schema validates the model's arguments and becomes `parameters`. */
export function createTool<Arguments extends z.ZodObject>(definition: {
  name: string;
  description: string;
  arguments: Arguments;
  /** Arguments that a call may have, and the schema leaves out: a result says when one is needed, and its form. */
  unlisted?: readonly string[];
  /** Brings other forms of the arguments, which models also write, into that of the schema. */
  readOther?(args: Record<string, unknown>): unknown;
  execute(args: z.infer<Arguments>, signal: AbortSignal): Promise<ToolResult> | ToolResult;
}): Tool {
  const { $schema, ...parameters } = z.toJSONSchema(definition.arguments, { io: 'input', override: leaveBounds });
  return {
    name: definition.name,
    description: definition.description,
    parameters: leaveOut(parameters, definition.unlisted ?? []),
    async call(argumentsText, signal) {
      const json = parseJson(argumentsText === '' ? '{}' : argumentsText);
      if (json === undefined)
        return toolError(`the arguments of ${definition.name} are not valid JSON; send them again as one JSON object`);
      const read = isFields(json) ? (definition.readOther?.(json) ?? json) : json;
      const args = definition.arguments.safeParse(read);
      if (!args.success) return toolError(`wrong arguments for ${definition.name}:\n${z.prettifyError(args.error)}`);
      return definition.execute(args.data, signal);
    },
  };
}

/** Every request carries the schemas, and a model keeps such bounds unasked. The call checks them. */
function leaveBounds({ jsonSchema }: { jsonSchema: z.core.JSONSchema.BaseSchema }): void {
  for (const bound of ['minimum', 'maximum', 'minLength', 'minItems', 'maxItems'] as const) delete jsonSchema[bound];
}

/** A schema without these properties, none of which is required. */
export function leaveOut(schema: Tool['parameters'], names: readonly string[]): Tool['parameters'] {
  const properties = Object.entries(schema.properties ?? {}).filter(([name]) => !names.includes(name));
  return { ...schema, properties: Object.fromEntries(properties) };
}

export const toolError = (output: string): ToolResult => ({ output, isError: true });

export const toolOk = (output: string): ToolResult => ({ output, isError: false });
