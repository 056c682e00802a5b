import { type DestinationStream, type Logger, pino } from 'pino';

export type Log = Logger;

/** `redact` runs on each finished line, which includes the fields of libraries. */
export function createLog({
  level,
  redact,
  destination,
}: {
  level: string;
  redact: (text: string) => string;
  destination?: DestinationStream;
}): Log {
  const options = {
    level,
    base: null,
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { level: (label: string) => ({ level: label }) },
    serializers: { err: describeError, error: describeError },
    hooks: { streamWrite: redact },
  };
  return destination ? pino(options, destination) : pino(options);
}

interface ErrorFields {
  type: string;
  message: string;
  code?: unknown;
  status?: unknown;
  stack?: string | undefined;
  cause?: unknown;
  errors?: unknown[];
}

/** Keeps fixed keys only, because libraries attach whole requests and webhook payloads to errors. */
function describeError(error: unknown, depth = 0): unknown {
  if (!isError(error) || depth > 10) return String(error);
  const { name: type = 'Error', message, stack } = error;
  const described: ErrorFields = { type, message, stack };
  if ('code' in error) described.code = error.code;
  if ('status' in error) described.status = error.status;
  if (error.cause !== undefined) described.cause = describeError(error.cause, depth + 1);
  if (error instanceof AggregateError) described.errors = error.errors.map((inner) => describeError(inner, depth + 1));
  return described;
}

/** pg-boss emits some errors as plain objects. */
const isError = (value: unknown): value is Error =>
  value instanceof Error ||
  (typeof value === 'object' && value !== null && 'message' in value && typeof value.message === 'string');
