import { z } from 'zod';
import { isAbsent, isPlain, type RawChange, readRawDiff } from '../../git/diffs.ts';
import type { InRepository } from '../../git/git.ts';
import { runGit } from '../../git/run-git.ts';
import type { RepositoryAccess } from '../../github/auth/open-access.ts';
import type { SignedCommit } from '../../github/calls/commit-calls.ts';
import { findEffect } from '../../store/tables/jobs/effects.ts';
import { updateJob } from '../../store/tables/jobs/jobs.ts';
import { RunFailure } from '../failures.ts';
import type { FrozenChange } from '../publication.ts';
import { type CheckedOutRun, inMirror } from '../run-context.ts';
import { readBranchTip } from './find-pushed.ts';

/**
 * GitHub makes and signs a commit with the same files and message, but another SHA, author and date. The run's trailer finds it. Throws
 * `RunFailure` `signing_unsupported` for changes that GitHub cannot make this way.
 */
export async function signCommit(
  context: CheckedOutRun,
  access: RepositoryAccess,
  change: FrozenChange,
): Promise<SignedCommit> {
  const { base } = context.checkout;
  const { branch, sha, tip, message } = change;
  const from = tip ?? base.sha;
  if (base.mergedBaseSha !== null) throw unsupported('GitHub does not sign merges of an App');
  const described = await describeCommit({ ...inMirror(context, context.signals.publish), from, to: sha });
  const {
    additions,
    deletions,
    unsupported: [first],
  } = described;
  if (first) {
    throw unsupported(
      `GitHub signs only changes of plain files: ${first.path} cannot be changed, because ${first.reason}`,
    );
  }
  if (tip === null) await createBranch(context, access, { branch, sha: from });
  const [headline = '', ...rest] = message.split('\n');
  return access.client.createSignedCommit({
    branch,
    expectedHead: from,
    headline,
    body: rest.join('\n').trim(),
    additions,
    deletions,
  });
}

/** Leaves an existing branch as it is: GitHub checks its tip when it commits. Creates a deleted branch again, as another effect. */
async function createBranch(
  context: CheckedOutRun,
  { client, token }: RepositoryAccess,
  { branch, sha }: { branch: string; sha: string },
): Promise<void> {
  const { parts, lease, run, effects } = context;
  const { database } = parts;
  const { jobId } = lease;
  const find = async () => {
    const tip = await readBranchTip(context, { token, branch });
    return tip === null ? undefined : { externalId: tip };
  };
  let key = `${run.run_id}:branch`;
  let earlier = await findEffect(database, { jobId, key });
  for (let count = 2; earlier?.state === 'done'; count += 1) {
    key = `${run.run_id}:branch:${count}`;
    earlier = await findEffect(database, { jobId, key });
  }
  if (!earlier && (await find())) return;
  await effects.perform({
    key,
    request: { branch, sha },
    schema: z.object({ externalId: z.string() }),
    find,
    async act() {
      await client.createBranch(branch, sha);
      return { externalId: sha };
    },
    // The branch stays if GitHub refuses the commit. The next run would otherwise take the base's new commits for its own.
    record: async (tx) => void (await updateJob(tx, jobId, { branch })),
  });
}

const unsupported = (why: string) =>
  new RunFailure(
    'signing_unsupported',
    `The change could not be published: the repository requires signed commits, and ${why}. Make this change by hand, or let the App bypass the rule.`,
  );

/** The input of GitHub's `createCommitOnBranch`, and the changes that it cannot make. */
interface DescribedCommit {
  additions: { path: string; content: Uint8Array }[];
  deletions: string[];
  /** `reason` completes a sentence, like "it is executable". */
  unsupported: { path: string; reason: string }[];
}

/** GitHub's limit: https://docs.github.com/en/repositories/working-with-files/managing-large-files/about-large-files-on-github */
const maxFileBytes = 100 * 1024 ** 2;

/** In path order; a rename is a deletion and an addition. The API writes only plain, non-executable files, but deletes executables too.
 * https://docs.github.com/en/graphql/reference/mutations#createcommitonbranch */
export async function describeCommit(options: InRepository & { from: string; to: string }): Promise<DescribedCommit> {
  const described: DescribedCommit = { additions: [], deletions: [], unsupported: [] };
  const { changes } = await readRawDiff(options);
  for (const change of changes) {
    const { path } = change;
    const reason = findUnsupported(change);
    if (reason !== undefined) {
      described.unsupported.push({ path, reason });
    } else if (isAbsent(change.newMode)) {
      described.deletions.push(path);
    } else {
      const blob = await runGit(options, ['cat-file', 'blob', change.newSha], { maxOutputBytes: maxFileBytes });
      described.additions.push({ path, content: blob.stdout });
    }
  }
  return described;
}

function findUnsupported({ path, oldMode, newMode }: RawChange): string | undefined {
  const modes = [oldMode, newMode];
  if (modes.includes('120000')) return 'it is a symbolic link';
  if (modes.includes('160000')) return 'it is a submodule';
  if (path.includes('\uFFFD')) return 'its name is not valid UTF-8';
  if (!modes.every((mode) => isAbsent(mode) || isPlain(mode))) return 'it is not a plain file';
  return modes.includes('100755') && !isAbsent(newMode) ? 'it is executable' : undefined;
}
