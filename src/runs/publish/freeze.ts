import type { AgentEnd, Finished } from '../../agent/run-agent.ts';
import type { Problem } from '../../docs/problem.ts';
import { isContained } from '../../git/commits.ts';
import { listOpened } from '../../policy/list-opened.ts';
import { listNewAddresses } from '../../policy/pages/list-new-addresses.ts';
import { listRuns } from '../../store/tables/jobs/runs.ts';
import {
  type CheckReport,
  checksDidNotRun,
  findExplanation,
  findOwnExplanation,
  toCheckReport,
} from '../check-report.ts';
import { type Conflict, type Evidence, type Frozen, findEarlierChecks, type Publication } from '../publication.ts';
import type { CheckedOutRun } from '../run-context.ts';
import type { WorkEnd } from '../work/edit-docs.ts';
import { checkEvidence } from '../work/evidence.ts';
import { findNewSecrets, listFinishTexts } from '../work/find-new-secrets.ts';
import { findUnresolvedConflicts, writeUntouchedWarnings } from '../work/find-unresolved-conflicts.ts';
import { createNameHider, findPrivateNames } from '../work/private-names.ts';
import { type MadeCommit, makeCommit } from './make-commit.ts';
import { listNamedHosts } from './outgoing.ts';
import type { Notes } from './pull-request-text.ts';
import { freezePublication } from './store-publication.ts';
import { type ChangeText, findReachedLimit, writeChange, writeChangeText } from './write-change.ts';

/** Makes the commit and stores what will be published. After this transaction the run does not go back to the model. */
export async function freeze(context: CheckedOutRun, end: WorkEnd): Promise<Frozen | Conflict> {
  if (end.kind === 'failure') return store(context, publishNothing(end));
  const { checkout, signals, takeStep } = context;
  const { marked, untouched } = await findUnresolvedConflicts(checkout);
  if (marked.length > 0) return store(context, publishNothing(conflictsRemain(marked, findReachedLimit(end))));
  const text = await writeChangeText(context, end);
  const explained = end.kind === 'finished' ? (end.explained ?? []) : [];
  const texts = listChangeTexts(text, explained);
  const secrets = await findNewSecrets(context, { texts, signal: signals.work });
  if (secrets.length > 0) return store(context, publishNothing(secretFound(secrets)));
  const named = await findPrivateNames(context, signals.work);
  if (named.length > 0) return store(context, publishNothing(privateNamed(named)));
  const tip = checkout.mirror.branchSha;
  const made = await takeStep('commit', () => makeCommit(context, { text: text.commit, tip, signal: signals.work }));
  if (made.kind === 'conflict') return made;
  const sha = made.kind === 'made' ? made.sha : await findUnpublished(context);
  const allowedHosts = listNamedHosts(text.outgoing, [text.summary, ...text.replies.map((reply) => reply.text)]);
  if (sha === undefined) return store(context, endUnchanged(end, { ...text, allowedHosts }));
  const evidence = await readEvidence(context, end);
  const notes = await findNotes(context, sha);
  const checks = await checkPublication(context, end);
  const { docs, workspace } = context.checkout;
  const pages = await docs.ask('changedPages', {}, workspace.writes(), { signal: signals.work });
  return store(context, {
    end: endChanged(context, end, made),
    summary: text.summary,
    replies: text.replies,
    allowedHosts,
    warnings: writeUntouchedWarnings(untouched),
    unseen: text.unseen,
    limit: findReachedLimit(end),
    checks,
    ...(pages && { pages }),
    evidence,
    change: await writeChange(context, {
      end,
      text,
      evidence,
      sha,
      notes,
      checks,
      becomesDraft: await opensFiles(context, sha),
    }),
  });
}

/** Publishes nothing of a place that may no longer be read. */
async function readEvidence(context: CheckedOutRun, end: AgentEnd): Promise<Evidence[]> {
  if (end.kind !== 'finished' || end.evidence === undefined) return [];
  const hideNames = createNameHider(context.checkout);
  const { evidence } = await checkEvidence(context, end.evidence, context.signals.work);
  const { redact } = context.parts.redactor;
  return evidence.map((each) => ({ ...each, claim: hideNames(redact(each.claim)) }));
}

/** About the whole change of the job, like the section that shows them. */
async function findNotes({ parts: { git }, checkout, signals }: CheckedOutRun, sha: string): Promise<Notes> {
  const { mirror, writeRules, base, mergeBaseSha } = checkout;
  // A commit on top of the base commit begins where that one does.
  const isOnTop = base.mergedBaseSha === null && (mirror.branchSha ?? base.sha) === base.sha;
  const from = isOnTop ? mergeBaseSha : undefined;
  const change = { git, gitDir: mirror.directory, signal: signals.work, base: mirror.baseSha, sha, from };
  return {
    addresses: await listNewAddresses({ ...change, readPage: writeRules.readers?.readPage }),
    opened: await listOpened({ ...change, also: writeRules.also }),
  };
}

/** Checks the whole change of the job. A checker that fails or takes too long does not fail the run. */
async function checkPublication(context: CheckedOutRun, end: AgentEnd): Promise<CheckReport> {
  const { parts, takeStep, checkout, signals, job, run } = context;
  const { docs, workspace } = checkout;
  const checked = await takeStep('check', () => docs.check(workspace.writes(), { signal: signals.work }));
  const earlier = findEarlierChecks(await listRuns(parts.database, job.job_id), run);
  const explained = end.kind === 'finished' ? (end.explained ?? []) : [];
  const hideNames = createNameHider(checkout);
  const explain = (problem: Problem) => {
    const own = findOwnExplanation(explained, problem);
    return own === undefined ? findExplanation(earlier, problem) : hideNames(parts.redactor.redact(own));
  };
  const checks = checked === undefined ? checksDidNotRun : toCheckReport(checked, explain);
  parts.onCheckReport(checks);
  return checks;
}

/** Whether this run, rather than an earlier one, changed files that only `also` lets it write: people have seen those of earlier runs. */
async function opensFiles({ parts: { git }, checkout, signals }: CheckedOutRun, sha: string): Promise<boolean> {
  const { mirror, writeRules } = checkout;
  if (mirror.branchSha === null) return false;
  const change = { git, gitDir: mirror.directory, signal: signals.work, base: mirror.branchSha, sha };
  return (await listOpened({ ...change, also: writeRules.also })).length > 0;
}

async function store(context: CheckedOutRun, publication: Publication): Promise<Frozen> {
  await context.takeStep('freeze', () => freezePublication(context, publication));
  return { kind: 'frozen', publication, isEarlier: false };
}

function publishNothing({ code, sentence }: { code: string; sentence: string }): Publication {
  const end = { outcome: 'failed' as const, code, sentence };
  return { end, summary: sentence, replies: [], allowedHosts: [], limit: null, change: null, unseen: null };
}

const conflictsRemain = (paths: string[], limit: string | null) => ({
  code: 'conflict',
  sentence: `${limit ? `${limit} ` : ''}The agent did not resolve the conflicts with the base branch in ${paths.join(', ')}, so Pagewright published nothing. Merge the base branch by hand, or ask again.`,
});

const maxShownSecrets = 5;

function secretFound(places: string[]) {
  const more = places.length > maxShownSecrets ? [`${places.length - maxShownSecrets} more`] : [];
  const shown = [...places.slice(0, maxShownSecrets), ...more].join('; ');
  return {
    code: 'secret_found',
    sentence: `The change contains text that looks like a secret, so Pagewright published nothing (${shown}). Ask again with a placeholder. If it is a real key, revoke it.`,
  };
}

/** Says no name: the sentence is posted where the names may not appear. */
function privateNamed(places: string[]) {
  return {
    code: 'private_named',
    sentence: `The change names a repository that not all readers of the documentation may see, so Pagewright published nothing (in ${places.length === 1 ? '1 place' : `${places.length} places`}). Ask again for a text without it.`,
  };
}

const listChangeTexts = (
  { title, description, summary, replies, commit }: ChangeText,
  explained: NonNullable<Finished['explained']>,
) => [
  ...listFinishTexts({ title, description, summary, replies, explained }),
  { place: 'the commit message', text: commit.message },
];

function endUnchanged(
  end: AgentEnd,
  { summary, replies, unseen, allowedHosts }: ChangeText & { allowedHosts: string[] },
): Publication {
  if (end.kind === 'limit') return publishNothing({ code: `limit_${end.limit}`, sentence: end.sentence });
  const unchanged = { outcome: 'completed' as const, code: 'unchanged', sentence: 'Nothing needed to change.' };
  return { end: unchanged, summary, replies, allowedHosts, limit: null, unseen, change: null };
}

function endChanged(context: CheckedOutRun, end: AgentEnd, made: MadeCommit): Publication['end'] {
  const published = `${describeChange(context, made)} published in the pull request.`;
  if (end.kind === 'finished') return { outcome: 'completed', code: 'published', sentence: published };
  const sentence = `${end.sentence} ${published}`;
  return { outcome: 'completed', code: `limit_${end.limit}`, sentence };
}

function describeChange({ job, checkout }: CheckedOutRun, made: MadeCommit): string {
  const files = made.kind === 'made' ? made.changedFiles : 0;
  const changed = files === 1 ? '1 changed file' : `${files} changed files`;
  const isMerge = checkout.base.mergedBaseSha !== null;
  if (files > 0) return `${changed}${isMerge ? `, with ${job.base} merged in,` : ''} ${files === 1 ? 'was' : 'were'}`;
  return isMerge ? `The merge of ${job.base} was` : 'The changes of an earlier run were';
}

/** The commit of an earlier run that pushed and then failed to open the pull request. */
async function findUnpublished({ parts, job, checkout, signals }: CheckedOutRun): Promise<string | undefined> {
  const { branchSha, baseSha, directory: gitDir } = checkout.mirror;
  if (job.pull_request_number !== null || branchSha === null) return undefined;
  const isInBase = await isContained({ git: parts.git, gitDir, sha: branchSha, tip: baseSha, signal: signals.work });
  return isInBase ? undefined : branchSha;
}
