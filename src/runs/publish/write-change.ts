import type { AgentEnd } from '../../agent/run-agent.ts';
import { listMessages, listUnansweredMessages, type Message } from '../../store/tables/messages.ts';
import { listRuns } from '../../store/tables/runs.ts';
import type { RunAtSite } from '../prepare/open-checkout.ts';
import type { RunParts } from '../run-parts.ts';
import { findLastChange } from '../work/read-context.ts';
import type { Change, Publication } from './publication.ts';
import {
  type Asked,
  type CoAuthor,
  writeCommitMessage,
  writeNewBody,
  writeSection,
  writeTitle,
} from './pull-request-text.ts';

/** The limit that the work ended at, as people are told of it. */
export const findLimit = (end: AgentEnd) => (end.kind === 'limit' ? end.sentence : null);

/** What a run has to say, whatever its commit turns out to be. */
export interface ChangeText extends Pick<Publication, 'summary' | 'replies'>, Pick<Change, 'title' | 'description'> {
  commit: Pick<Change, 'message' | 'author' | 'date'>;
  asked: Asked[];
}

/** Writes it, without the secrets that may stand in what the agent and people wrote. */
export async function writeChangeText(
  parts: RunParts,
  { end, job, run, site }: Pick<RunAtSite, 'job' | 'run' | 'site'> & { end: AgentEnd },
): Promise<ChangeText> {
  const { redact } = parts.redactor;
  const said = end.kind === 'finished' ? end : { summary: end.sentence, title: undefined, description: undefined };
  const unanswered = (await listUnansweredMessages(parts.database, run.run_id)).map(({ seq }) => seq);
  const messages = (await listMessages(parts.database, job.job_id)).filter(({ seq }) => !unanswered.includes(seq));
  const earlier = findLastChange(await listRuns(parts.database, job.job_id));
  const summary = redact(said.summary);
  const title = redact(
    writeTitle({ title: said.title, previous: earlier?.title ?? null, prompt: messages[0]?.prompt ?? '' }),
  );
  const commit = {
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
  return {
    summary,
    title,
    description: redact(said.description ?? [earlier?.description, summary].filter(Boolean).join('\n\n')),
    replies: end.kind === 'finished' ? end.replies.map(({ message, text }) => ({ message, text: redact(text) })) : [],
    commit,
    asked: messages
      .filter(({ state }) => state === 'taken' || state === 'answered')
      .map(({ author, source, prompt, created_at: askedAt }) => ({ author, source, prompt: redact(prompt), askedAt })),
  };
}

/** The change to be published, which the commit `sha` makes. */
export function writeChange({
  end,
  words: { title, description, commit, asked },
  sha,
  job,
  site,
}: Pick<RunAtSite, 'job' | 'site'> & { end: AgentEnd; words: ChangeText; sha: string }): Change {
  const limit = findLimit(end);
  const section = writeSection({
    description,
    asked,
    limit: limit ?? undefined,
    problems: site.word.problems,
    sources: site.word.followed,
  });
  return {
    branch: site.branch,
    tip: site.mirror.branchSha,
    sha,
    ...commit,
    title,
    description,
    section,
    newBody: writeNewBody({ section, template: site.word.pullRequestTemplate?.text, jobId: job.job_id }),
    draft: job.draft || limit !== null,
  };
}

/** The people whose messages this run answers, as GitHub credits them. */
function findCoAuthors(messages: Message[], { run, site }: Pick<RunAtSite, 'run' | 'site'>): CoAuthor[] {
  const host = site.bot.email.split('@')[1];
  const people = messages
    .filter((message) => message.run_id === run.run_id)
    .flatMap(({ context }) => context?.person ?? []);
  return people.map(({ login, userId }) => ({ name: login, email: `${userId}+${login}@${host}` }));
}
