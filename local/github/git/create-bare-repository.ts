import { appendFile, chmod, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { runGit } from './run-git.ts';

/**
 * Pushed refs are written down by `post-receive`, exactly as they were applied. `pre-receive` finds new commits that touch
 * workflows: only a hook sees them before they are accepted.
 */
const preReceive = `#!/bin/sh
test -n "$STAND_IN_MAY_CHANGE_WORKFLOWS" && exit 0
while read -r old new ref; do
  case $new in *[!0]*) ;; *) continue ;; esac
  found=$(git rev-list "$new" --not --all |
    git diff-tree --stdin --root -r -m --name-only --no-commit-id -- .github/workflows | head -n 1)
  test -z "$found" && continue
  printf '%s %s\\n' "$ref" "$found" > "$STAND_IN_NOTES/refused"
  exit 1
done
exit 0
`;
const postReceive = '#!/bin/sh\ncat > "$STAND_IN_NOTES/received"\n';

// Clients may ask for partial clones and for any commit, as on github.com. Nothing may collect commits behind our back.
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
  for (const [name, script] of [
    ['pre-receive', preReceive],
    ['post-receive', postReceive],
  ] as const) {
    await writeFile(join(directory, 'hooks', name), script);
    await chmod(join(directory, 'hooks', name), 0o755);
  }
}
