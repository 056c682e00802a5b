import { type DestinationStream, type Logger, pino } from 'pino';

export type Log = Logger;

/** `redact` runs on each finished line, which includes the fields of libraries. */
export function createLog(parts: {
  level: string;
  redact: (text: string) => string;
  destination?: DestinationStream;
}): Log {
  const { level, redact, destination } = parts;
  const options = {
    level,
    base: null,
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { level: (label: string) => ({ level: label }) },
    serializers: { err: (error: unknown) => describeError(error), error: (error: unknown) => describeError(error) },
    hooks: { streamWrite: redact },
  };
  return destination ? pino(options, destination) : pino(options);
}

export const createSilentLog = (): Log => createLog({ level: 'silent', redact: (line) => line });

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
function describeError(error: unknown, depth = 0, isEffect = false): unknown {
  if (!isError(error) || depth > 10) return String(error);
  const { name: type = 'Error', message, stack } = error;
  const hidesStack = isEffect || isExpected(error);
  const described: ErrorFields = { type, message, ...(!hidesStack && { stack }) };
  if ('code' in error) described.code = error.code;
  if ('status' in error) described.status = error.status;
  if (error.cause !== undefined) described.cause = describeError(error.cause, depth + 1, hidesStack);
  if (error instanceof AggregateError)
    described.errors = error.errors.map((inner) => describeError(inner, depth + 1, hidesStack));
  return described;
}

/** Codes of connections that fail: https://nodejs.org/docs/latest-v24.x/api/errors.html#common-system-errors, TLS, undici and PostgreSQL. */
const outage =
  /^(?:E(?:CONN(?:REFUSED|RESET|ABORTED)|NOTFOUND|AI_AGAIN|TIMEDOUT|HOSTUNREACH|NETUNREACH|PIPE|ADDRINUSE)|UND_ERR_|ERR_TLS_|(?:.*_)?CERT(?:_|$)|SELF_SIGNED|UNABLE_TO|57P|08|53)/;

/** What the service lives with, or what comes of it: its causes say everything, and where it was thrown says nothing. */
function isExpected(error: Error): boolean {
  if ('isExpected' in error && error.isExpected === true) return true;
  if ('code' in error && typeof error.code === 'string' && outage.test(error.code)) return true;
  if (error.name === 'TimeoutError') return true;
  return isError(error.cause) && isExpected(error.cause);
}

/** pg-boss emits some errors as plain objects. */
const isError = (value: unknown): value is Error =>
  value instanceof Error ||
  (typeof value === 'object' && value !== null && 'message' in value && typeof value.message === 'string');
