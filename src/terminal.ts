import pretty from 'pino-pretty';

/** Lines for people, with the errors below them. Written at once: the process may end after any line. */
export function createTerminal({
  isColoured,
  destination,
}: {
  isColoured: boolean;
  destination: 1 | NodeJS.WritableStream;
}) {
  return pretty({ colorize: isColoured, translateTime: 'SYS:HH:MM:ss', singleLine: true, sync: true, destination });
}
