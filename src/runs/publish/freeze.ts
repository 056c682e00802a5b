import type { AgentEnd } from '../../agent/run-agent.ts';
import { StopRequested } from '../../errors.ts';
import { isContained } from '../../git/commits.ts';
import { inLease } from '../../store/schedule/lease.ts';
import { listUnansweredMessages, releaseMessages } from '../../store/tables/messages.ts';
import { addRunWarning, isStopRequested, updateRun } from '../../store/tables/runs.ts';
import type { RunAtSite } from '../prepare/open-checkout.ts';
import type { RunParts } from '../run-parts.ts';
import type { WorkEnd } from '../work/edit-docs.ts';
import { findUnsolved, writeUntouchedWarnings } from '../work/find-unsolved.ts';
import { type MadeCommit, makeCommit } from './make-commit.ts';
import type { Publication } from './publication.ts';
import { type ChangeText, findLimit, writeChange, writeChangeText } from './write-change.ts';

/** What others changed meanwhile and the run's changes do not fit together. */
export interface Conflict {
  kind: 'conflict';
  /** Where the branch is now, or the base for a branch that is not there yet. */
  tip: string;
  /** The commit of the base that has to be merged in as well; null: none. */
  mergedBaseSha: string | null;
  paths: string[];
}

type Frozen = { kind: 'frozen'; publication: Publication };

/** Makes the commit, and stores what will be published, in the transaction after which there is no way back to the model. */
export async function freeze(
  parts: RunParts,
  { end, ...given }: RunAtSite & { end: WorkEnd },
): Promise<Frozen | Conflict> {
  if (end.kind === 'failure') return keep(parts, given, publishNothing(end));
  const { job, site, signal } = given;
  const { marked, untouched } = await findUnsolved(site);
  if (marked.length > 0) return keep(parts, given, publishNothing(conflictsRemain(marked, findLimit(end))));
  const words = await writeChangeText(parts, { ...given, end });
  const tip = site.mirror.branchSha;
  const commit = () => makeCommit(parts, { ...words.commit, site, tip, signal });
  const made = await parts.takeStep({ step: 'commit', jobId: job.job_id }, commit);
  if (made.kind === 'conflict')
    return { ...made, tip: tip ?? site.ground.sha, mergedBaseSha: site.ground.mergedBaseSha };
  const sha = made.kind === 'made' ? made.sha : await findUnpublished(parts, given);
  if (sha === undefined) return keep(parts, given, endUnchanged(end, words));
  const { summary, replies } = words;
  return keep(parts, given, {
    end: endChanged(end, { made, job, site }),
    summary,
    replies,
    warnings: writeUntouchedWarnings(untouched),
    limit: findLimit(end),
    change: writeChange({ end, words, sha, job, site }),
  });
}

async function keep(parts: RunParts, given: RunAtSite, publication: Publication): Promise<Frozen> {
  const { jobId } = given.lease;
  await parts.takeStep({ step: 'freeze', jobId }, () => storePublication(parts, { ...given, publication }));
  return { kind: 'frozen', publication };
}

/**
 * Its warnings become the run's, and what the model never answered is for the next run. Throws `StopRequested` when the run was asked to
 * stop before.
 */
export async function storePublication(
  { database }: RunParts,
  { lease, run, publication }: Pick<RunAtSite, 'lease' | 'run'> & { publication: Publication },
): Promise<void> {
  await inLease(database, lease, async (tx) => {
    if (await isStopRequested(tx, lease.jobId)) throw new StopRequested('the run was asked to stop');
    await releaseMessages(tx, await listUnansweredMessages(tx, run.run_id));
    await updateRun(tx, run.run_id, { phase: 'publishing', publication: JSON.stringify(publication) });
    for (const warning of publication.warnings ?? []) await addRunWarning(tx, run.run_id, warning);
  });
}

function publishNothing({ code, sentence }: { code: string; sentence: string }): Publication {
  return { end: { outcome: 'failed', code, sentence }, summary: sentence, replies: [], limit: null, change: null };
}

const conflictsRemain = (paths: string[], limit: string | null) => ({
  code: 'conflict',
  sentence: `${limit ? `${limit} ` : ''}The conflicts with the base could not be solved in ${paths.join(', ')}, so nothing was published: merge the base into the branch by hand, or ask again.`,
});

function endUnchanged(end: AgentEnd, { summary, replies }: ChangeText): Publication {
  if (end.kind === 'limit') return publishNothing({ code: `limit_${end.limit}`, sentence: end.sentence });
  const unchanged = { outcome: 'completed' as const, code: 'unchanged', sentence: 'Nothing needed to change.' };
  return { end: unchanged, summary, replies, limit: null, change: null };
}

function endChanged(
  end: AgentEnd,
  { made, job, site }: { made: MadeCommit } & Pick<RunAtSite, 'job' | 'site'>,
): Publication['end'] {
  const published = `${describeMade(made, { job, site })} published in the pull request.`;
  if (end.kind === 'finished') return { outcome: 'completed', code: 'published', sentence: published };
  const sentence = `${end.sentence} What was done until then: ${published}`;
  return { outcome: 'completed', code: `limit_${end.limit}`, sentence };
}

function describeMade(made: MadeCommit, { job, site }: Pick<RunAtSite, 'job' | 'site'>): string {
  const files = made.kind === 'made' ? made.changedFiles : 0;
  const changed = files === 1 ? '1 changed file' : `${files} changed files`;
  const isMerge = site.ground.mergedBaseSha !== null;
  if (files > 0) return `${changed}${isMerge ? `, with ${job.base} merged in,` : ''} ${files === 1 ? 'was' : 'were'}`;
  return isMerge ? `The merge of ${job.base} was` : 'What an earlier run changed was';
}

/** What an earlier run pushed before it failed to open the pull request: it is to be shown, though nothing is added to it. */
async function findUnpublished(
  { git }: RunParts,
  { job, site: { mirror }, signal }: Pick<RunAtSite, 'job' | 'site' | 'signal'>,
): Promise<string | undefined> {
  const { branchSha, baseSha } = mirror;
  if (job.pull_request_number !== null || branchSha === null) return undefined;
  const isInBase = await isContained({ git, gitDir: mirror.directory, sha: branchSha, tip: baseSha, signal });
  return isInBase ? undefined : branchSha;
}
