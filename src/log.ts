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
    hooks: { streamWrite: redact },
  };
  return destination ? pino(options, destination) : pino(options);
}
