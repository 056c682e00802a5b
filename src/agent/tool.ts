import { z } from 'zod';

/** What a tool call is answered with. An error is written for the model: what is wrong, what to try. */
export interface ToolResult {
  output: string;
  isError: boolean;
}

/** One thing the model may do. `parameters` is a JSON Schema, as model servers want it. */
export interface Tool {
  name: string;
  description: string;
  parameters: Record<string, unknown>;
  /**
   * Parses the model's own JSON text and does the work. Bad arguments are an error result; only faults of ours throw. `failed` names the
   * tools whose calls in the same answer have failed before this one.
   */
  call(argumentsText: string, signal: AbortSignal, failed?: ReadonlySet<string>): Promise<ToolResult>;
}

/** Builds a tool from a zod schema: the schema validates what the model sends and is what the model is shown. */
export function createTool<Arguments extends z.ZodObject>(definition: {
  name: string;
  description: string;
  arguments: Arguments;
  execute(given: z.infer<Arguments>, signal: AbortSignal): Promise<ToolResult> | ToolResult;
}): Tool {
  const { $schema, ...parameters } = z.toJSONSchema(definition.arguments);
  return {
    name: definition.name,
    description: definition.description,
    parameters,
    async call(argumentsText, signal) {
      const json = parseJson(argumentsText);
      if (json === undefined) {
        return toolError(`the arguments of ${definition.name} are not valid JSON; send them again as one JSON object`);
      }
      const given = definition.arguments.safeParse(json);
      if (!given.success) {
        return toolError(`wrong arguments for ${definition.name}:\n${z.prettifyError(given.error)}`);
      }
      return definition.execute(given.data, signal);
    },
  };
}

/** Answers a call that did not work: `output` tells the model what is wrong and what to try. */
export const toolError = (output: string): ToolResult => ({ output, isError: true });

/** Answers a call that worked. */
export const toolOk = (output: string): ToolResult => ({ output, isError: false });

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text === '' ? '{}' : text);
  } catch {
    return undefined;
  }
}
