import { InvalidArgumentError } from 'commander';

export function parseRepository(text: string): { owner: string; repo: string } {
  const [, owner, repo] = /^([\w.-]+)\/([\w.-]+)$/.exec(text) ?? [];
  if (owner === undefined || repo === undefined)
    throw new InvalidArgumentError('write the repository as OWNER/REPO, such as acme/docs');
  return { owner, repo };
}
