import { spawn } from 'node:child_process';
import type { Command } from './builder.ts';

const longestMs = 900_000;

/** Never throws: a command that cannot start has no status. */
export function runCommand([file, ...args]: Command, cwd?: string): Promise<{ status: number | null; output: string }> {
  return new Promise((resolve) => {
    const child = spawn(file, args, { cwd, stdio: ['ignore', 'pipe', 'pipe'], timeout: longestMs });
    let output = '';
    const keep = (bytes: Buffer) => {
      output = (output + bytes.toString()).slice(-10_000);
    };
    child.stdout.on('data', keep);
    child.stderr.on('data', keep);
    child.on('error', (error) => resolve({ status: null, output: error.message }));
    child.on('close', (status) => resolve({ status, output }));
  });
}
