import { describeCommit } from '../../git/describe-commit.ts';
import type { SignedCommit } from '../../github/calls/commit-calls.ts';
import { RunFailure } from '../failures.ts';
import type { RunParts } from '../run-parts.ts';
import type { PushGiven } from './find-pushed.ts';
import { makeBranch } from './make-branch.ts';

/**
 * Has GitHub make the frozen commit, which it signs then. It has another SHA, author and date, but the same files and message, and the
 * trailer that names the run, by which it is found again. Throws `RunFailure` `signing_unsupported` for what GitHub cannot make this way.
 */
export async function signCommit(parts: RunParts, given: PushGiven): Promise<SignedCommit> {
  const { git } = parts;
  const { site, change, client, signal } = given;
  const { mirror, ground } = site;
  const { branch, sha, tip, message } = change;
  const from = tip ?? ground.sha;
  if (ground.mergedBaseSha !== null) throw unsupported('GitHub signs no merge for an App');
  const {
    additions,
    deletions,
    unsupported: impossible,
  } = await describeCommit({ git, gitDir: mirror.directory, from, to: sha, signal });
  const [first] = impossible;
  if (first) {
    throw unsupported(
      `GitHub signs only changes of plain files: ${first.path} cannot be changed, because ${first.reason}`,
    );
  }
  if (tip === null) await makeBranch(parts, given, from);
  const [headline = '', ...rest] = message.split('\n');
  return client.createSignedCommit({
    branch,
    expectedHead: from,
    headline,
    body: rest.join('\n').trim(),
    additions,
    deletions,
  });
}

const unsupported = (why: string) =>
  new RunFailure(
    'signing_unsupported',
    `The change could not be published: the repository requires signed commits, and ${why}. Make this change by hand, or let the App bypass the rule.`,
  );
