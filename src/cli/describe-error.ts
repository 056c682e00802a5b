import { ConfigError } from '../config/config-error.ts';
import { Refusal } from '../errors.ts';
import { UsageError } from './usage-error.ts';

/** An error and its causes, in one line. */
export function describeError(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const own = error instanceof ConfigError ? `invalid configuration: ${error.problems.join('; ')}` : error.message;
  // Their messages are complete without a cause.
  const isComplete = error instanceof UsageError || error instanceof Refusal;
  const text =
    error.cause === undefined || isComplete
      ? own
      : `${own.replace(/(?<![\s.:])[\s.:]+$/, '')}: ${describeError(error.cause)}`;
  return text.replaceAll(/(?<!\s)\s*\n\s*/g, ' ');
}
