import { appendFile, chmod, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { runGit } from './run-git.ts';

/** A hook logs pushed refs exactly as git applied them. */
const postReceive = '#!/bin/sh\ncat > "$STAND_IN_NOTES/received"\n';

// As on github.com, clients may request partial clones and any commit. Without gc, no commit disappears.
const settings = `[http]
	receivepack = true
[uploadpack]
	allowFilter = true
	allowAnySHA1InWant = true
[receive]
	hideRefs = refs/pull
	autogc = false
[gc]
	auto = 0
`;

/** Makes an empty bare repository that git http-backend may serve. */
export async function createBareRepository(directory: string, defaultBranch: string): Promise<void> {
  await mkdir(directory, { recursive: true });
  await runGit(directory, ['init', '--quiet', '--bare', `--initial-branch=${defaultBranch}`, directory]);
  await appendFile(join(directory, 'config'), settings);
  await mkdir(join(directory, 'hooks'), { recursive: true });
  await writeFile(join(directory, 'hooks', 'post-receive'), postReceive);
  await chmod(join(directory, 'hooks', 'post-receive'), 0o755);
}
