import { type FieldError, HttpProblem } from '../../problem.ts';

/** An error in a query parameter. */
interface ParameterError {
  parameter: string;
  detail: string;
}

const maxErrors = 20;
const maxNameLength = 100;

/** Joins all errors into one sentence. Each `detail` completes a clause that begins with its field or parameter. */
export function invalidRequest(all: readonly (FieldError | ParameterError)[]): HttpProblem {
  const errors = all.slice(0, maxErrors);
  const clauses = errors.map((error) => `${nameOf(error)} ${error.detail}`);
  const sentence = `Invalid request: ${clauses.join('; ')}`;
  return new HttpProblem('invalid-request', sentence.endsWith('?') ? sentence : `${sentence}.`, {
    extensions: { errors },
  });
}

function nameOf(error: FieldError | ParameterError): string {
  if ('parameter' in error) return error.parameter;
  return error.pointer === '#' ? 'the body' : decodeURIComponent(error.pointer.slice(2));
}

/** https://www.rfc-editor.org/rfc/rfc6901#section-6 */
export const toPointer = (path: readonly PropertyKey[]): string =>
  [
    '#',
    ...path.map((name) => encodeURIComponent(boundName(String(name)).replaceAll('~', '~0').replaceAll('/', '~1'))),
  ].join('/');

/** A name that a caller sent, as an error shows it. */
export const boundName = (name: string): string => name.slice(0, maxNameLength).toWellFormed();
