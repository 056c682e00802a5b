import { execFile } from 'node:child_process';
import { resolve } from 'node:path';

/** Runs `bin/pagewright` in `cwd`, which has no `.env`, with only this environment. */
export function pagewright(
  args: readonly string[],
  { cwd, environment = {} }: { cwd: string; environment?: Record<string, string> },
): Promise<{ code: number; stdout: string; stderr: string }> {
  const env = { PATH: process.env.PATH ?? '', HOME: process.env.HOME ?? '', ...environment };
  return new Promise((done) => {
    const child = execFile(resolve('bin/pagewright'), args, { cwd, env }, (_error, stdout, stderr) => {
      done({ code: child.exitCode ?? -1, stdout, stderr });
    });
  });
}
