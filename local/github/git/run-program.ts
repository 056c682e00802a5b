import { spawn } from 'node:child_process';
import { text } from 'node:stream/consumers';

export interface ProgramRequest {
  command: string;
  args: readonly string[];
  cwd: string;
  env: Record<string, string>;
  stdin?: string | Uint8Array;
  timeoutMs: number;
  maxOutputBytes: number;
}

export interface ProgramEnd {
  code: number | null;
  stdout: Uint8Array;
  stderr: string;
  error?: { message: string };
}

export type RunProgram = (request: ProgramRequest, signal: AbortSignal) => Promise<ProgramEnd>;

/** State of the module: how programs start does not depend on a stand-in. */
let run: RunProgram = runHere;

/** A fork of a large process takes long. One that starts many programs gives another way to start them. */
export const startProgramsBy = (runProgram: RunProgram): void => {
  run = runProgram;
};

const limits = { timeoutMs: 300_000, maxOutputBytes: 1024 ** 3 };
const never = new AbortController().signal;

/** Runs a program with the given environment only. Throws if it does not start. */
export async function runProgram(request: Omit<ProgramRequest, 'cwd' | keyof typeof limits>): Promise<ProgramEnd> {
  const end = await run({ ...request, cwd: '/', ...limits }, never);
  if (end.error) throw new Error(`could not start ${request.command}: ${end.error.message}`);
  return end;
}

async function runHere({ command, args, cwd, env, stdin }: ProgramRequest): Promise<ProgramEnd> {
  // Ctrl-C goes to the parent process, which stops in order: let git finish.
  const child = spawn(command, args, { cwd, env, detached: true });
  const ended = new Promise<number | null>((resolve, reject) => child.once('error', reject).once('close', resolve));
  // A program that fails early closes its input: report its status, not the broken pipe.
  child.stdin.on('error', () => {});
  child.stdin.end(stdin);
  const [stdout, stderr, code] = await Promise.all([child.stdout.toArray(), text(child.stderr), ended]);
  return { code, stdout: Buffer.concat(stdout), stderr };
}
