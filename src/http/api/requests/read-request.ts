import type { Request, Response } from 'express';
import type { z } from 'zod';
import { bodyLimits } from '../../bodies/body-budget.ts';
import { parseJson, requireJson } from '../../bodies/parse-json.ts';
import type { ReadBody } from '../../bodies/read-body.ts';
import { type FieldError, Problem } from '../../problem.ts';

/** Reads and checks a JSON body. Throws a `Problem` that names each bad field. */
export async function readRequest<Schema extends z.ZodType>(
  { request, response }: { request: Request; response: Response },
  { schema, readBody }: { schema: Schema; readBody: ReadBody },
): Promise<z.output<Schema>> {
  requireJson(request);
  using body = await readBody(request, response, { maxBytes: bodyLimits.small });
  const parsed = schema.safeParse(body.bytes.length === 0 ? undefined : parseJson(body.bytes));
  if (parsed.success) return parsed.data;
  throw invalid(
    parsed.error.issues.map(({ path, message }) => ({
      pointer: ['#', ...path.map(String)].join('/'),
      detail: message,
    })),
  );
}

function invalid(errors: FieldError[]): Problem {
  const sentences = errors.map(({ pointer, detail }) => `${pointer === '#' ? 'the body' : pointer.slice(2)} ${detail}`);
  return new Problem('invalid-request', `Invalid request: ${sentences.join('; ')}.`, { extensions: { errors } });
}
