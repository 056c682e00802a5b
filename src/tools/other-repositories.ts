import type { Docs } from '../docs-session/docs.ts';
import type { ReadableFiles } from '../workspace/commit-files.ts';
import type { Refused } from '../workspace/workspace-files.ts';

/** A repository that tools may read, and not write. */
export interface OtherRepository {
  /** `@acme/api`: its files are below it. */
  prefix: string;
  /** With the prefix in each path. */
  files: ReadableFiles;
  /** Without the prefix. */
  plainFiles: ReadableFiles;
  docs: Docs;
}

export interface OtherRepositories {
  /** For the list of the root: each repository, and how many files it has. */
  list(): { prefix: string; count: number }[];
  /** Whether a path names another repository, be it one that may be read or not. */
  isOutside(path: string): boolean;
  /** Asks whether it may still be read. */
  find(path: string, signal: AbortSignal): Promise<{ kind: 'found'; repository: OtherRepository } | Refused>;
}

export const noOtherRepositories: OtherRepositories = {
  list: () => [],
  isOutside: () => false,
  find: async () => ({ kind: 'refused', reason: 'there are no other repositories' }),
};

/** A path of the tool's arguments, and the files that it is in. */
export async function findPlace<Files extends ReadableFiles>(
  { workspace, others }: { workspace: Files; others: OtherRepositories },
  path: string,
  signal: AbortSignal,
): Promise<
  { kind: 'here'; files: Files } | { kind: 'there'; files: ReadableFiles; repository: OtherRepository } | Refused
> {
  if (!others.isOutside(path)) return { kind: 'here', files: workspace };
  const found = await others.find(path, signal);
  return found.kind === 'refused'
    ? found
    : { kind: 'there', files: found.repository.files, repository: found.repository };
}

/** `@acme/api/src/a.ts` in `@acme/api` is `src/a.ts`. */
export const withoutPrefix = (path: string, { prefix }: Pick<OtherRepository, 'prefix'>): string =>
  path.slice(prefix.length).replace(/^\/+/, '');
