import type { AgentEnd, Finished } from '../../agent/run-agent.ts';
import { maskSecrets } from '../../secrets/scanner.ts';
import { sendTogether } from '../../store/postgres/database.ts';
import { listImageFacts } from '../../store/tables/jobs/attachments.ts';
import { listMessages, listUnansweredMessages, type Message } from '../../store/tables/jobs/messages.ts';
import { listRuns } from '../../store/tables/jobs/runs.ts';
import { firstLine } from '../../text/bound.ts';
import { countImages, describeUnseen } from '../../text/list-images.ts';
import type { CheckReport } from '../check-report.ts';
import { chooseBranch } from '../name-branch.ts';
import { type Evidence, type FrozenChange, findLastChange, listPublishedEvidence } from '../publication.ts';
import type { CheckedOutRun } from '../run-context.ts';
import { listFinishTexts } from '../work/find-new-secrets.ts';
import { createNameHider } from '../work/private-names.ts';
import { maxSubjectLength, type Signature, writeCommitMessage } from './commit-message.ts';
import { hideUnquotable, quotesApi, readOutgoingContext, writeInThread } from './outgoing.ts';
import { type Notes, writeNewBody, writeSection, writeTitle } from './pull-request-text.ts';
import { listDocuments } from './write-documents.ts';

const sum = (numbers: readonly number[]) => numbers.reduce((one, other) => one + other, 0);

export type ChangeText = Awaited<ReturnType<typeof writeChangeText>>;

/** Writes the texts, without the secrets that the agent or people may have quoted. */
export async function writeChangeText(context: CheckedOutRun, end: AgentEnd) {
  const { parts, job, run, checkout } = context;
  const hideNames = createNameHider(checkout);
  const redact = (text: string) => hideNames(parts.redactor.redact(text));
  const author = { name: checkout.bot.login, email: checkout.bot.email };
  const { co_authors: creditsPeople, sign_off: signsOff } = checkout.guidance.settings;
  const answer: Partial<Finished> & { summary: string } = end.kind === 'finished' ? end : { summary: end.sentence };
  const [unanswered, all, runs] = await sendTogether(parts.database, (connection) => [
    listUnansweredMessages(connection, run.run_id),
    listMessages(connection, job.job_id),
    listRuns(connection, job.job_id),
  ]);
  const stored = all.filter(({ seq }) => !unanswered.some((message) => message.seq === seq));
  const messages = await Promise.all(stored.map((message) => withoutSecrets(context, message)));
  const earlier = findLastChange(runs);
  const texts = [...listFinishTexts(answer).map(({ text }) => text), earlier?.title ?? '', earlier?.description ?? ''];
  const outgoing = await readOutgoingContext(context, { messages, texts });
  const summary = redact(answer.summary);
  const quotable = hideUnquotable(messages, { quotesApi: quotesApi(checkout) });
  const title = redact(
    writeTitle({
      title: answer.title,
      previous: earlier?.title ?? null,
      prompt: quotable[0]?.prompt ?? null,
      context: outgoing,
    }),
  );
  const heard = quotable.filter(({ state }) => state === 'taken' || state === 'answered');
  const imageFacts = await listImageFacts(
    parts.database,
    stored.map(({ message_id: messageId }) => messageId),
  );
  const imagesOf = ({ message_id: messageId }: { message_id: string }) =>
    countImages(
      messages.find((message) => message.message_id === messageId)?.prompt ?? '',
      imageFacts.filter((image) => image.message_id === messageId),
    );
  const ofRun = messages.filter((each) => each.run_id === run.run_id).map(imagesOf);
  return {
    // The job keeps its branch, whatever the title becomes.
    branch: chooseBranch(job, runs, title),
    summary,
    title,
    description: redact(answer.description ?? extendDescription(earlier?.description, summary)),
    replies: (answer.replies ?? []).map(({ message, text }) => ({ message, text: redact(text) })),
    commit: {
      // The title is about the whole pull request; the subject of a later commit is about what it adds.
      message: writeCommitMessage({
        subject: earlier ? redact(chooseSubject(answer)) : title,
        summary,
        runId: run.run_id,
        coAuthors: creditsPeople ? findCoAuthors(context, messages) : [],
        signedOffBy: signsOff ? author : undefined,
        context: outgoing,
      }),
      author,
      date: new Date(),
    },
    /** Of earlier runs whose change was published. */
    earlierEvidence: listPublishedEvidence(runs),
    instructions: heard.map((message) => {
      const { author, source, prompt, created_at: askedAt } = message;
      return { author, source, prompt, askedAt, images: imagesOf(message).unseen };
    }),
    /** What triggered the job's automation. */
    documents: heard.flatMap(({ context: told }) => told?.occasions ?? []),
    askedOn: listAskedOn(heard, checkout.repository.repositoryId),
    /** What of this run's instructions the model did not see. */
    unseen:
      describeUnseen(
        sum(ofRun.map(({ unseen }) => unseen)),
        ofRun.flatMap(({ reasons }) => reasons),
      ) ?? null,
    outgoing,
  };
}

/** The agent's own, or the first sentence of its summary, or the new title of the pull request: one that is not cut, if there is any. */
export function chooseSubject(options: {
  subject?: string | undefined;
  title?: string | undefined;
  summary: string;
}): string {
  const { subject = '', title = '', summary } = options;
  const [sentence = ''] = /^[^\n]*?[.!?](?=\s|$)|^.*/.exec(summary.trim()) ?? [];
  const subjects = [subject.trim(), sentence, title.trim()].filter((text) => text !== '');
  const whole = subjects.find((text) => text.length <= maxSubjectLength);
  return whole ?? firstLine(subjects[0] ?? 'Update the documentation', maxSubjectLength);
}

export const laterChanges = '## Later changes';

/** A later run that writes no description anew adds its summary, apart from the headings of a template. */
export function extendDescription(earlier: string | undefined, summary: string): string {
  const added = summary.trim();
  if (!earlier?.trim()) return added;
  const item = `- ${added.replace(/\n(?=.)/g, '\n  ')}`;
  if (added === '') return earlier;
  return earlier.includes(`\n${laterChanges}\n`) ? `${earlier}\n${item}` : `${earlier}\n\n${laterChanges}\n\n${item}`;
}

/** The agent can write its own texts again without a key, but not those of people. */
async function withoutSecrets({ parts, run, checkout, signals }: CheckedOutRun, message: Message): Promise<Message> {
  const secrets = await parts.scanText(message.prompt, { signal: signals.work, owner: run.run_id });
  const prompt = parts.redactor.redact(maskSecrets(message.prompt, secrets));
  return { ...message, prompt: createNameHider(checkout)(prompt) };
}

/** The change to publish, which the commit `sha` makes. */
export async function writeChange(
  context: CheckedOutRun,
  options: {
    limit: string | null;
    text: ChangeText;
    evidence: Evidence[];
    sha: string;
    notes: Notes;
    checks: CheckReport;
    becomesDraft: boolean;
  },
): Promise<FrozenChange> {
  const { limit, text, evidence, sha, notes, checks, becomesDraft } = options;
  const { job, checkout } = context;
  const { branch, title, description, commit, instructions, documents, askedOn, earlierEvidence, outgoing } = text;
  const { problems, sources, pullRequestTemplate } = checkout.guidance;
  const section = await writeInThread(context, sectionTask, {
    description,
    instructions,
    documents: listDocuments(documents, {
      documentation: checkout.repository,
      opened: checkout.contextRepositories.opened,
    }),
    askedOn,
    limit: limit ?? undefined,
    problems,
    sources,
    notes,
    checks,
    evidence: [...earlierEvidence, ...evidence],
    context: outgoing,
  });
  return {
    branch,
    tip: checkout.mirror.branchSha,
    sha,
    ...commit,
    title,
    description,
    section,
    newBody: writeNewBody({ section, template: pullRequestTemplate?.text, jobId: job.job_id }),
    draft: job.draft || limit !== null || notes.opened.length > 0,
    becomesDraft,
  };
}

const sectionTask = { module: import.meta.resolve('./pull-request-text.ts'), work: writeSection };

/** GitHub credits a person by this address. */
function findCoAuthors({ run, checkout }: CheckedOutRun, messages: Message[]): Signature[] {
  const host = checkout.bot.email.split('@')[1];
  const people = messages
    .filter((message) => message.run_id === run.run_id)
    .flatMap(({ context }) => context?.person ?? []);
  return people.map(({ login, userId }) => ({ name: login, email: `${userId}+${login}@${host}` }));
}

/** In the repository of the pull request, each once: by mentions, and issues by their label. */
function listAskedOn(messages: readonly { context: Message['context'] }[], ownId: number) {
  const asked = messages.flatMap(({ context }) => [
    ...(context?.conversation ? [context.conversation] : []),
    ...(context?.occasions ?? []).flatMap(({ kind, repositoryId, number }) =>
      kind === 'issue' && repositoryId === ownId && number !== undefined ? [{ kind, number }] : [],
    ),
  ]);
  return [...new Map(asked.map(({ kind, number }) => [number, { kind, number }])).values()];
}
