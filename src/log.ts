import { type DestinationStream, type Logger, pino } from 'pino';

export type Log = Logger;

/**
 * The one logger: JSON lines on stdout, or on `destination`. `redact` sees each finished line, so a secret cannot pass
 * whichever key it is logged under, a library's own fields included.
 */
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

interface Described {
  type: string;
  message: string;
  code?: unknown;
  status?: unknown;
  stack?: string | undefined;
  cause?: unknown;
  errors?: unknown[];
}

/** An error with its whole chain, by fixed keys: libraries hang whole requests and webhook payloads on theirs. */
function describeError(error: unknown, depth = 0): unknown {
  if (!isError(error) || depth > 10) return String(error);
  const { name: type = 'Error', message, stack } = error;
  const described: Described = { type, message, stack };
  if ('code' in error) described.code = error.code;
  if ('status' in error) described.status = error.status;
  if (error.cause !== undefined) described.cause = describeError(error.cause, depth + 1);
  if (error instanceof AggregateError) described.errors = error.errors.map((inner) => describeError(inner, depth + 1));
  return described;
}

/** Or the copy of one: pg-boss tells of some by plain objects. */
const isError = (given: unknown): given is Error =>
  given instanceof Error ||
  (typeof given === 'object' && given !== null && 'message' in given && typeof given.message === 'string');
