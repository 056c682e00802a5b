import { userInfo } from 'node:os';

/** What a command prints, unless it has printed already. `notes`: for people beside an output for programs. */
export type Outcome = readonly string[] | { text: string; notes?: readonly string[]; hasFailed: boolean };

export interface CommandOptions {
  isColoured: boolean;
  /** Aborts when the command is to end. Read it only to obey it. */
  readonly signal: AbortSignal;
}

/**
 * Runs a command whose code `load` loads: help and mistakes are answered at once. `consequence`: what a person should know who ends it.
 * The exit code is 1 for an outcome that has failed.
 */
export const runLoaded =
  <Command>(load: () => Promise<(command: Command, options: CommandOptions) => Promise<Outcome>>, consequence = '') =>
  async (command: Command): Promise<void> => {
    const run = await load();
    let stopping: AbortSignal | undefined;
    const options = {
      isColoured: process.stdout.hasColors?.() ?? false,
      get signal() {
        stopping ??= stopSignal(consequence);
        return stopping;
      },
    };
    const outcome = await run(command, options);
    const {
      text,
      notes = [],
      hasFailed,
    } = 'text' in outcome ? outcome : { text: joinLines(outcome), hasFailed: false };
    process.stdout.write(text);
    for (const note of notes) console.error(note);
    process.exitCode = hasFailed ? 1 : 0;
  };

export const joinLines = (lines: readonly string[]): string => lines.map((line) => `${line}\n`).join('');

/** Aborts at SIGINT and SIGTERM, which then no longer end the process. */
function stopSignal(consequence: string): AbortSignal {
  const stopping = new AbortController();
  for (const name of ['SIGINT', 'SIGTERM'] as const) {
    // Not `once`: npm forwards Ctrl-C to a process that received it already, and an unhandled second one would leave an incomplete database.
    process.on(name, () => stopping.abort(new Error(`ended by ${name}${consequence}`)));
  }
  return stopping.signal;
}

/** A reader such as `head` may have enough before the end: then the command ends, without an error. */
export function endWithReader(): void {
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error;
    process.exit();
  });
}

/** Ends the process when its output is written. A library that keeps a connection or a timer open does not hold up the command. */
export async function endWhenWritten(): Promise<never> {
  for (const stream of [process.stdout, process.stderr])
    await new Promise<void>((written) => void stream.write('', () => written()));
  process.exit();
}

/** The user of this process. A container may run as a user id without a name: then the id. */
export function findUserName(environment: NodeJS.ProcessEnv, readUser: () => { username: string } = userInfo): string {
  if (environment.USER) return environment.USER;
  try {
    return readUser().username;
  } catch {
    return `uid ${process.getuid?.() ?? 'unknown'}`;
  }
}

/** Aligns the columns. The first row is the head. */
export function formatTable(rows: readonly (readonly string[])[]): string[] {
  const widthOf = (column: number) => Math.max(...rows.map((row) => row[column]?.length ?? 0));
  return rows.map((row) =>
    row
      .map((cell, column) => cell.padEnd(widthOf(column)))
      .join('  ')
      .trimEnd(),
  );
}
