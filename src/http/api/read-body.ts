import express, { type Request, type Response } from 'express';
import { z } from 'zod';
import { type FieldError, Problem } from '../problem.ts';

export const maxBodyBytes = 256 * 1024;

const parseJson = express.json({ limit: maxBodyBytes, inflate: false, strict: false, type: () => true });

/** Reads and checks a JSON body. Throws a `Problem` that names each bad field. */
export async function readBody<Schema extends z.ZodType>(
  { request, response }: { request: Request; response: Response },
  schema: Schema,
): Promise<z.output<Schema>> {
  if (request.is(['json', '+json']) === false) throw notJson('Send the body with `Content-Type: application/json`.');
  // express.json would read all of an announced body before it refuses it.
  if (Number(request.get('content-length')) > maxBodyBytes) throw tooLarge();
  await new Promise<void>((resolve, reject) => {
    parseJson(request, response, (error: unknown) => (error === undefined ? resolve() : reject(toBodyProblem(error))));
  });
  const body: unknown = request.body;
  const parsed = schema.safeParse(body);
  if (parsed.success) return parsed.data;
  throw invalid(
    parsed.error.issues.map(({ path, message }) => ({
      pointer: ['#', ...path.map(String)].join('/'),
      detail: message,
    })),
  );
}

const httpError = z.object({ status: z.int() });

/** https://github.com/expressjs/body-parser#errors */
function toBodyProblem(error: unknown): unknown {
  const status = httpError.safeParse(error).data?.status;
  if (status === 413) return tooLarge();
  if (status === 415) return notJson('Send the body in UTF-8 and without a Content-Encoding.');
  if (status === 400) return invalid([{ pointer: '#', detail: 'is not valid JSON' }]);
  return error;
}

const tooLarge = () =>
  new Problem('content-too-large', `The body must not exceed ${maxBodyBytes / 1024} KiB. Shorten the prompt.`);

const notJson = (detail: string) => new Problem('unsupported-media-type', detail);

function invalid(errors: FieldError[]): Problem {
  const sentences = errors.map(({ pointer, detail }) => `${pointer === '#' ? 'the body' : pointer.slice(2)} ${detail}`);
  return new Problem('invalid-request', `Invalid request: ${sentences.join('; ')}.`, { extensions: { errors } });
}
