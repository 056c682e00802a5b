import { listSubjects } from '../../git/commits.ts';
import { listHosts } from '../../policy/pages/list-hosts.ts';
import type { Message } from '../../store/tables/jobs/messages.ts';
import { findHosts, type OutgoingContext } from '../../text/neutralize/addresses.ts';
import { ThreadFailure, type ThreadTask } from '../../threads/threads.ts';
import type { Audience } from '../checkout.ts';
import { type CheckedOutRun, inMirror, type RunContext } from '../run-context.ts';

/**
 * The texts of a run may link to GitHub, to hosts that pages of the base link to, and to hosts that people named in the job's messages. Searches
 * the pages only if a text of the agent may contain a link.
 */
export async function readOutgoingContext(
  context: CheckedOutRun,
  { messages, texts }: { messages: readonly { prompt: string }[]; texts: readonly string[] },
): Promise<OutgoingContext> {
  const commit = { ...inMirror(context, context.signals.work), sha: context.checkout.mirror.baseSha };
  const mayLink = texts.some((text) => text.includes('//'));
  const inPages = mayLink ? await listHosts(commit) : [];
  const named = messages.flatMap(({ prompt }) => findHosts(prompt));
  const refersTo = texts.some((text) => /#\d/.test(text));
  const references = refersTo
    ? chooseReferences({
        template: context.checkout.guidance.pullRequestTemplate?.text,
        subjects: await listSubjects({ ...commit, max: searchedSubjects }),
        prompts: messages.map(({ prompt }) => prompt),
      })
    : [];
  return { ...toOutgoingContext(context, [...inPages, ...named]), references };
}

export function toOutgoingContext(
  { parts, checkout }: RunContext & { checkout: Audience },
  allowedHosts: readonly string[],
): OutgoingContext {
  const { owner, repo } = checkout.repository;
  return { repository: `${parts.webUrl}/${owner}/${repo}`, allowedHosts: [...new Set(allowedHosts)] };
}

/** The publication keeps only the hosts that its texts name. */
export function listNamedHosts({ allowedHosts }: OutgoingContext, texts: readonly string[]): string[] {
  const named = new Set(texts.flatMap(findHosts));
  return allowedHosts.filter((host) => named.has(host));
}

/** Even the worst Markdown of this length is parsed within 20 ms. */
const shortLength = 1_000;

/** Parses long Markdown in a thread. Text that takes too long, or too much memory, is shown as written. Throws `ThreadsBusy`. */
export async function writeInThread<Input extends { context: OutgoingContext }, Output>(
  { parts, run, signals }: RunContext,
  task: ThreadTask<Input, Output>,
  input: Input,
): Promise<Output> {
  if (JSON.stringify(input).length <= shortLength) return task.work(input);
  try {
    return await parts.threads.run(task, input, { signal: signals.publish, owner: run.run_id });
  } catch (error) {
    if (!(error instanceof ThreadFailure)) throw error;
    return task.work({ ...input, context: { ...input.context, isShownAsWritten: true } });
  }
}

type Quotable<Asked> = Omit<Asked, 'prompt'> & { prompt: string | null };

/** Instructions by API are for the repository's people only, unless its settings say otherwise. */
export function quotesApi({ repository, guidance }: Audience): boolean {
  const { quote } = guidance.settings;
  return quote === 'always' || (quote === null && repository.isPrivate);
}

/** Comments, reviews and issues are on GitHub anyway, and what asks for the mending of checks is Pagewright's own sentence. */
export function hideUnquotable<Asked extends { source: Message['source']; prompt: string }>(
  messages: readonly Asked[],
  { quotesApi }: { quotesApi: boolean },
): Quotable<Asked>[] {
  return messages.map((message) => {
    const isPublished = ['comment', 'review', 'issue', 'checks'].includes(message.source);
    return isPublished || quotesApi ? message : { ...message, prompt: null };
  });
}

/** A place for a reference, such as `Closes #` and `(#123)`, but no heading. */
const reference = /[\s(:[]#(?!#)/;
const asSubject = /\(#\d+\)$/;
const searchedSubjects = 20;
/** Fewer are an accident. */
const leastSubjects = 3;
const named = /(?<![\w/.#&-])#(\d{1,9})(?!\w)/g;

type References = NonNullable<OutgoingContext['references']>;

/** The issues and pull requests of the repository that the agent's texts may refer to: those that people named; all where the pull request template or the subjects of commits have references. */
export function chooseReferences(options: {
  template?: string | undefined;
  subjects: readonly string[];
  prompts: readonly string[];
}): References {
  const { template = '', subjects, prompts } = options;
  if (template.split('\n').some((line) => reference.test(line.trim()))) return 'all';
  if (subjects.filter((subject) => asSubject.test(subject)).length >= leastSubjects) return 'all';
  return prompts.flatMap((prompt) => Array.from(prompt.matchAll(named), ([, number]) => Number(number)));
}
