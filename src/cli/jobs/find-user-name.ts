import { userInfo } from 'node:os';

/** Who runs this process. A container may run as a user id that has no name: then it is the id. */
export function findUserName(environment: NodeJS.ProcessEnv, readUser: () => { username: string } = userInfo): string {
  if (environment.USER) return environment.USER;
  try {
    return readUser().username;
  } catch {
    return `uid ${process.getuid?.() ?? 'unknown'}`;
  }
}
