import { runProcess } from './processes/start-programs.ts';

const limits = { timeoutMs: 120_000, maxOutputBytes: 256 * 1024 ** 2 };

/** Ignores the machine's git configuration; the token, if any, is the authorization. */
export const createGitEnvironment = (token?: string): Record<string, string> => ({
  PATH: process.env.PATH ?? '',
  GIT_CONFIG_NOSYSTEM: '1',
  GIT_CONFIG_GLOBAL: '/dev/null',
  GIT_TERMINAL_PROMPT: '0',
  GIT_AUTHOR_NAME: 'Test',
  GIT_AUTHOR_EMAIL: 'test@example.com',
  GIT_COMMITTER_NAME: 'Test',
  GIT_COMMITTER_EMAIL: 'test@example.com',
  LC_ALL: 'C',
  ...(token !== undefined && {
    GIT_CONFIG_COUNT: '1',
    GIT_CONFIG_KEY_0: 'http.extraHeader',
    GIT_CONFIG_VALUE_0: `Authorization: Basic ${Buffer.from(`x-access-token:${token}`).toString('base64')}`,
  }),
});

export function createGitClient({ token }: { token?: string } = {}) {
  const environment = createGitEnvironment(token);
  return {
    /** Returns what git printed; throws with its `stderr`. */
    async run(directory: string, ...args: string[]): Promise<string> {
      const request = { command: 'git', args, cwd: directory, env: environment, ...limits };
      const { code, stdout, stderr, error } = await runProcess(request, new AbortController().signal);
      if (code !== 0)
        throw Object.assign(new Error(`could not run git ${args.join(' ')}: ${error?.message ?? stderr}`), { stderr });
      return Buffer.from(stdout).toString().trim();
    },
  };
}
