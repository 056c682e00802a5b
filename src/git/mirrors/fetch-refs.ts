import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { InRepository } from '../git.ts';
import type { Remote } from '../remote.ts';
import { runFetch } from './run-fetch.ts';

/** Fetches branches, or `refs/pull/1/head`, into `<refs>/0`, `<refs>/1`, …; into a blobless mirror without their files. Throws as `runFetch`. */
export async function fetchRefs(
  options: InRepository & {
    remote: Remote;
    isBlobless: boolean;
    branches: readonly string[];
    refs: string;
    maxRepositoryBytes: number;
  },
): Promise<void> {
  const { branches, refs, ...fetch } = options;
  const refspecs = branches.map((branch, index) => `+${toRef(branch)}:${refs}/${index}`);
  await runFetch({ ...fetch, refspecs });
}

/** A branch, or the head of a pull request, which may come from a fork. */
const toRef = (name: string) => (/^refs\/pull\/\d+\/head$/.test(name) ? name : `refs/heads/${name}`);

/** The tips of the refs that `fetchRefs` fetched, by branch, read from their files: mirrors keep each new ref in one. */
export async function readFetched(options: {
  gitDir: string;
  branches: readonly string[];
  refs: string;
}): Promise<Map<string, string>> {
  const { gitDir, branches, refs } = options;
  const read = async (branch: string, index: number) => {
    const text = await readFile(join(gitDir, refs, String(index)), 'utf8');
    const [sha] = /^[0-9a-f]{40,64}(?=\n$)/.exec(text) ?? [];
    if (sha === undefined) throw new Error(`could not read ${refs}/${index} of ${gitDir}`);
    return [branch, sha] as const;
  };
  return new Map(await Promise.all(branches.map(read)));
}
