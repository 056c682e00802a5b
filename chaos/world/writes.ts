import type { LocalGitHub } from '../../local/github/start-github.ts';

/** What was asked to change something on GitHub, oldest first: `POST /repos/team/docs/pulls`. Tokens come and go: they are left out. */
export const listWrites = ({ requests }: LocalGitHub): string[] =>
  requests.filter(isWrite).map(({ method, path }) => `${method} ${path}`);

export const isWrite = ({ method, path }: LocalGitHub['requests'][number]) =>
  method !== 'GET' && !/git-upload-pack$|access_tokens$|^\/installation\/token$/.test(path);
