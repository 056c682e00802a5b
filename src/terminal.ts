import pretty from 'pino-pretty';

/** Lines for people, with the errors below them. Written at once: the process may end after any line. */
export function createTerminal(options: { isColoured: boolean; destination: 1 | NodeJS.WritableStream }) {
  const { isColoured, destination } = options;
  return pretty({ colorize: isColoured, translateTime: 'SYS:HH:MM:ss', singleLine: true, sync: true, destination });
}
