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
