import { execFile } from 'node:child_process';
import { resolve } from 'node:path';

/** Runs `bin/pagewright` with no other environment; in a directory without `.env`, it reads none. */
export function runPagewright(
  args: readonly string[],
  { environment = {}, cwd }: { environment?: Record<string, string>; cwd?: string } = {},
): Promise<{ code: number; stdout: string; stderr: string }> {
  // The cache of the test run: compiling the command takes as long as most of what it does.
  const { PATH, HOME, NODE_COMPILE_CACHE } = process.env;
  const env = { PATH, HOME, NODE_COMPILE_CACHE, ...environment };
  return new Promise((done) => {
    const child = execFile(resolve('bin/pagewright'), args, { cwd, env }, (_error, stdout, stderr) => {
      done({ code: child.exitCode ?? -1, stdout, stderr });
    });
  });
}
