import { UsageError } from './usage-error.ts';

/** Throws `UsageError`. */
export function parseRepository(text = ''): { owner: string; repo: string } {
  const [, owner, repo] = /^([\w.-]+)\/([\w.-]+)$/.exec(text) ?? [];
  if (owner === undefined || repo === undefined)
    throw new UsageError('write the repository as OWNER/REPO, such as acme/docs');
  return { owner, repo };
}
