import { listSubjects } from '../../git/commits.ts';
import type { OutgoingContext } from '../../text/neutralize/addresses.ts';
import type { CheckedOutRun } from '../run-context.ts';

/** A place for a reference, such as `Closes #` and `(#123)`, but no heading. */
const reference = /[\s(:[]#(?!#)/;
const asSubject = /\(#\d+\)$/;
const searchedSubjects = 20;
/** Fewer are an accident. */
const leastSubjects = 3;
const named = /(?<![\w/.#&-])#(\d{1,9})(?!\w)/g;

type References = NonNullable<OutgoingContext['references']>;

/** The issues and pull requests of the repository that the agent's texts may refer to. */
export async function findAllowedReferences(
  { parts: { git }, checkout, signals }: CheckedOutRun,
  { messages, texts }: { messages: readonly { prompt: string }[]; texts: readonly string[] },
): Promise<References> {
  if (!texts.some((text) => /#\d/.test(text))) return [];
  const { baseSha: sha, directory: gitDir } = checkout.mirror;
  return chooseReferences({
    template: checkout.guidance.pullRequestTemplate?.text,
    subjects: await listSubjects({ git, gitDir, sha, max: searchedSubjects, signal: signals.work }),
    prompts: messages.map(({ prompt }) => prompt),
  });
}

/** Those that people named; all where the pull request template or the subjects of commits have references. */
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
