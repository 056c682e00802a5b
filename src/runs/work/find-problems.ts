import type { FindProblems } from '../../agent/finish.ts';
import { describeProblems } from '../../checks/describe-problems.ts';
import type { Problem } from '../../checks/problem.ts';
import { describeMarkers } from '../../workspace/merges/conflicts.ts';
import { findNewSecrets, listFinishTexts } from '../publish/find-new-secrets.ts';
import type { CheckedOutRun } from '../run-context.ts';
import { findUnresolvedConflicts } from './find-unresolved-conflicts.ts';
import { describeUntouched, plain } from './prompt.ts';

/**
 * What stands against a finish. Conflict markers and broken documentation are told every time; untouched conflicts, secrets and advice
 * once for each message: then the agent has decided. The journal holds the problems told, so a takeover tells none twice.
 */
export function createProblemFinder(
  context: CheckedOutRun,
  { onSentBack }: { onSentBack: (problems: readonly Problem[]) => void },
): FindProblems {
  return async (finish, { told, signal }) => {
    const isFresh = (problem: string) => !told.some((text) => text.includes(problem));
    const { marked, untouched } = await findUnresolvedConflicts(context.checkout);
    const fresh = untouched.map(describeUntouched).filter(isFresh);
    const secrets = isFresh(secretsProblem)
      ? await findNewSecrets(context, { texts: listFinishTexts(finish), signal })
      : [];
    if (secrets.length > 0) fresh.push(`${secretsProblem}\n${secrets.map((secret) => `- ${secret}`).join('\n')}`);
    const isAdviceFresh = isFresh(adviceProblem);
    const { broken, advice, problems } = await findBroken(context, signal);
    if (isAdviceFresh) fresh.push(...advice);
    onSentBack(problems.filter(({ severity }) => severity === 'must' || isAdviceFresh));
    return [...marked.map(describeMarkers), ...broken, ...fresh];
  };
}

/** Each at most one text. */
async function findBroken({ checkout }: CheckedOutRun, signal: AbortSignal) {
  const { docs, workspace } = checkout;
  const { problems = [], goneFiles = [] } = (await docs.check(workspace.writes(), { signal })) ?? {};
  const describe = (severity: 'must' | 'should', heading: string) => {
    const found = problems.filter((problem) => problem.severity === severity);
    return found.length === 0 ? [] : [`${heading}\n${plain(describeProblems({ problems: found, goneFiles }))}`];
  };
  return { broken: describe('must', brokenProblem), advice: describe('should', adviceProblem), problems };
}

const brokenProblem = 'Your change breaks the documentation here. Fix it; what you cannot fix, name in your summary:';

const adviceProblem =
  'Readers would lose their way here. Fix it, or say in your summary why it is right; you are told once:';

const secretsProblem =
  'This looks like a secret, and secrets are not published. Replace it by a placeholder such as <YOUR_TOKEN>, in files and in what you say; with the same again, nothing of this run is published:';
