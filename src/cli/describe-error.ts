import { ConfigError } from '../config/config.ts';
import { Refusal } from '../errors.ts';
import { UsageError } from './keys-command.ts';

/** An error and what caused it, in one line. */
export function describeError(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const own = error instanceof ConfigError ? `the configuration is wrong: ${error.problems.join('; ')}` : error.message;
  // These two are written for a person and say it all.
  const isWhole = error instanceof UsageError || error instanceof Refusal;
  const text =
    error.cause === undefined || isWhole ? own : `${own.replace(/[\s.:]+$/, '')}: ${describeError(error.cause)}`;
  return text.replaceAll(/\s*\n\s*/g, ' ');
}
