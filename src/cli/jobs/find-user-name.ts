import { userInfo } from 'node:os';

/** The user of this process. A container may run as a user id without a name: then the id. */
export function findUserName(environment: NodeJS.ProcessEnv, readUser: () => { username: string } = userInfo): string {
  if (environment.USER) return environment.USER;
  try {
    return readUser().username;
  } catch {
    return `uid ${process.getuid?.() ?? 'unknown'}`;
  }
}
