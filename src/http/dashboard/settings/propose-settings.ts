import { createHash } from 'node:crypto';
import type { RepositoryClient } from '../../../github/calls/repository-client.ts';
import { settingsPath } from '../../../repository/settings.ts';

type Proposed =
  | { kind: 'proposed'; number: number }
  /** The branch moved while the change was written. */
  | { kind: 'moved' }
  | { kind: 'refused'; sentence: string };

/**
 * Opens a pull request with this version of the settings. Idempotent: the same proposal on the same commit has the same branch, and what
 * exists already is adopted.
 */
export async function proposeSettings(
  client: RepositoryClient,
  { base, text, body }: { base: string; text: string; body: string },
): Promise<Proposed> {
  const tip = await client.findBranchTip(base);
  if (tip === undefined) return { kind: 'refused', sentence: `The repository has no branch ${base}.` };
  const digest = createHash('sha256').update(`${tip}\n${text}`).digest('hex');
  const branch = `pagewright-settings/${digest.slice(0, 12)}`;
  const title = 'Change the settings of Pagewright';
  await client.createBranch(branch, tip);
  const additions = [{ path: settingsPath, content: Buffer.from(text) }];
  const commit = { branch, expectedHead: tip, headline: title, body, additions, deletions: [] };
  // `moved`: an earlier try of this proposal committed it.
  const committed = await client.createSignedCommit(commit);
  const isOurs = committed.kind === 'made' || (await holds(client, branch, text));
  if (!isOurs) return { kind: 'moved' };
  const created = await client.createPullRequest({ title, head: branch, base, body, draft: false });
  if (created.kind === 'created') return { kind: 'proposed', number: created.pullRequest.number };
  const found = await client.findPullRequest({ branch });
  if (found) return { kind: 'proposed', number: found.number };
  if (created.kind === 'ambiguous') throw created.cause;
  return { kind: 'refused', sentence: `GitHub did not open a pull request for the branch ${branch}. Open it there.` };
}

async function holds(client: RepositoryClient, branch: string, text: string): Promise<boolean> {
  const file = await client.fetchFile(settingsPath, branch);
  return file.kind === 'text' && file.text === text;
}
