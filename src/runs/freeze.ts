import { StopRequested } from '../errors.ts';
import { inLease } from '../store/lease.ts';
import { listMessages, listUnansweredMessages, type Message, releaseMessages } from '../store/messages.ts';
import { addRunWarning, isStopRequested, listRuns, updateRun } from '../store/runs.ts';
import { isContained } from '../workspace/commits.ts';
import type { WorkEnd } from './edit-docs.ts';
import { findUnsolved, writeUntouchedWarnings } from './find-unsolved.ts';
import { type MadeCommit, makeCommit } from './make-commit.ts';
import type { RunAtSite } from './open-site.ts';
import type { Change, Publication } from './publication.ts';
import { type CoAuthor, writeCommitMessage, writeNewBody, writeSection, writeTitle } from './pull-request-text.ts';
import { findLastChange } from './read-context.ts';
import type { RunParts } from './run-parts.ts';

/** What others changed meanwhile and the run's changes do not fit together. */
export interface Conflict {
  kind: 'conflict';
  /** Where the branch is now, or the base for a branch that is not there yet. */
  tip: string;
  /** The commit of the base that has to be merged in as well; null: none. */
  mergedBaseSha: string | null;
  paths: string[];
}

/** Decides what will be published, and stores it in the transaction after which there is no way back to the model. */
export async function freeze(
  parts: RunParts,
  { end, ...given }: RunAtSite & { end: WorkEnd },
): Promise<{ kind: 'frozen'; publication: Publication } | Conflict> {
  const publication = end.kind === 'failure' ? publishNothing(end) : await decide(parts, { end, ...given });
  if ('kind' in publication) return publication;
  const { jobId } = given.lease;
  await parts.around({ step: 'freeze', jobId }, () => storePublication(parts, { ...given, publication }));
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

async function decide(
  parts: RunParts,
  { end, job, run, site, signal }: RunAtSite & { end: Exclude<WorkEnd, { kind: 'failure' }> },
): Promise<Publication | Conflict> {
  const { redact } = parts.redactor;
  const limit = end.kind === 'limit' ? end.sentence : null;
  const said = end.kind === 'finished' ? end : { summary: end.sentence, title: undefined, description: undefined };
  const { marked, untouched } = await findUnsolved(site);
  if (marked.length > 0) return publishNothing(conflictsRemain(marked, limit));
  const unanswered = (await listUnansweredMessages(parts.database, run.run_id)).map(({ seq }) => seq);
  const messages = (await listMessages(parts.database, job.job_id)).filter(({ seq }) => !unanswered.includes(seq));
  const earlier = findLastChange(await listRuns(parts.database, job.job_id));
  const summary = redact(said.summary);
  const title = redact(
    writeTitle({ title: said.title, previous: earlier?.title ?? null, prompt: messages[0]?.prompt ?? '' }),
  );
  const replies =
    end.kind === 'finished' ? end.replies.map(({ message, text }) => ({ message, text: redact(text) })) : [];
  const description = redact(said.description ?? [earlier?.description, summary].filter(Boolean).join('\n\n'));

  const tip = site.mirror.branchSha;
  const words = {
    // A later commit is named after what it adds; the title is about all of them.
    message: writeCommitMessage({
      subject: earlier ? summary : title,
      summary,
      runId: run.run_id,
      coAuthors: findCoAuthors(messages, { run, site }),
    }),
    author: { name: site.bot.login, email: site.bot.email },
    date: new Date(),
  };
  const commit = () => makeCommit(parts, { site, tip, ...words, signal });
  const made = await parts.around({ step: 'commit', jobId: job.job_id }, commit);
  if (made.kind === 'conflict')
    return { ...made, tip: tip ?? site.ground.sha, mergedBaseSha: site.ground.mergedBaseSha };
  const sha = made.kind === 'made' ? made.sha : await findUnpublished(parts, { job, site, signal });
  if (sha === undefined) return endUnchanged(end, { summary, replies });

  const asked = messages
    .filter(({ state }) => state === 'taken' || state === 'answered')
    .map(({ author, source, prompt, created_at }) => ({ author, source, prompt: redact(prompt), askedAt: created_at }));
  const section = writeSection({
    description,
    asked,
    limit: limit ?? undefined,
    problems: site.word.problems,
    sources: site.word.followed,
  });
  const change: Change = {
    branch: site.branch,
    tip,
    sha,
    ...words,
    title,
    description,
    section,
    newBody: writeNewBody({ section, template: site.word.pullRequestTemplate?.text, jobId: job.job_id }),
    draft: job.draft || limit !== null,
  };
  const warnings = writeUntouchedWarnings(untouched);
  const published = { outcome: 'completed' as const, ...endChanged(end, { made, job, site }) };
  return { end: published, summary, replies, warnings, limit, change };
}

const conflictsRemain = (paths: string[], limit: string | null) => ({
  code: 'conflict',
  sentence: `${limit ? `${limit} ` : ''}The conflicts with the base could not be solved in ${paths.join(', ')}, so nothing was published: merge the base into the branch by hand, or ask again.`,
});

/** The people whose messages this run answers, as GitHub credits them. */
function findCoAuthors(messages: Message[], { run, site }: Pick<RunAtSite, 'run' | 'site'>): CoAuthor[] {
  const host = site.bot.email.split('@')[1];
  const people = messages
    .filter((message) => message.run_id === run.run_id)
    .flatMap(({ context }) => context?.person ?? []);
  return people.map(({ login, userId }) => ({ name: login, email: `${userId}+${login}@${host}` }));
}

function endUnchanged(
  end: Exclude<WorkEnd, { kind: 'failure' }>,
  said: Pick<Publication, 'summary' | 'replies'>,
): Publication {
  if (end.kind === 'limit') return publishNothing({ code: `limit_${end.limit}`, sentence: end.sentence });
  const unchanged = { outcome: 'completed' as const, code: 'unchanged', sentence: 'Nothing needed to change.' };
  return { end: unchanged, ...said, limit: null, change: null };
}

function endChanged(
  end: Exclude<WorkEnd, { kind: 'failure' }>,
  { made, job, site }: { made: MadeCommit } & Pick<RunAtSite, 'job' | 'site'>,
): { code: string; sentence: string } {
  const published = `${describeMade(made, { job, site })} published in the pull request.`;
  if (end.kind === 'finished') return { code: 'published', sentence: published };
  return { code: `limit_${end.limit}`, sentence: `${end.sentence} What was done until then: ${published}` };
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
  const isInBase = await isContained({ git, mirror, sha: branchSha, tip: baseSha, signal });
  return isInBase ? undefined : branchSha;
}
