import type { LocalGitHub } from '../../local/github/start-github.ts';

/** Requests that write on GitHub, oldest first: `POST /repos/team/docs/pulls`. Without those for tokens, whose number varies. */
export const listWrites = ({ requests }: LocalGitHub): string[] =>
  requests.filter(isWrite).map(({ method, path }) => `${method} ${path}`);

export const isWrite = ({ method, path }: LocalGitHub['requests'][number]) =>
  method !== 'GET' && !/git-upload-pack$|access_tokens$|^\/installation\/token$/.test(path);
