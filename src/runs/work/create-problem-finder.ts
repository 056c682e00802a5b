import type { FindProblems, Finish } from '../../agent/finish.ts';
import { describeProblems } from '../../docs/describe-problems.ts';
import { isProse } from '../../docs/page-extensions.ts';
import type { Problem } from '../../docs/problem.ts';
import { listMessagesOfRun } from '../../store/tables/jobs/messages.ts';
import { listRuns } from '../../store/tables/jobs/runs.ts';
import { describeMarkers } from '../../workspace/merges/conflicts.ts';
import { findExplanation, findOwnExplanation } from '../check-report.ts';
import { escapeElements } from '../escape-elements.ts';
import { findEarlierChecks } from '../publication.ts';
import type { CheckedOutRun } from '../run-context.ts';
import { checkEvidence } from './evidence.ts';
import { findNewSecrets, listFinishTexts } from './find-new-secrets.ts';
import { describeUntouched, findUnresolvedConflicts } from './find-unresolved-conflicts.ts';
import { findPrivateNames } from './private-names.ts';

/**
 * Problems that the agent must consider before it may finish. Conflict markers and broken documentation are raised every time. Untouched conflicts,
 * secrets and advice are raised once for each message: then the agent has decided. What it explains, or explained in an earlier run, is not raised. The journal keeps the raised ones, so a takeover knows them.
 */
export function createProblemFinder(
  context: CheckedOutRun,
  { onSentBack }: { onSentBack: (problems: readonly Problem[]) => void },
): FindProblems {
  return async (finish, { raised, signal }) => {
    const isFresh = (problem: string) => !raised.some((text) => text.includes(problem));
    const wrong = await findEvidenceProblems(context, finish, { isFresh, signal });
    const { marked, untouched } = await findUnresolvedConflicts(context.checkout);
    const fresh = untouched.map(describeUntouched).filter(isFresh);
    const secrets = isFresh(secretsProblem)
      ? await findNewSecrets(context, { texts: listFinishTexts(finish), signal })
      : [];
    if (secrets.length > 0) fresh.push(`${secretsProblem}\n${secrets.map((secret) => `- ${secret}`).join('\n')}`);
    const isAdviceFresh = isFresh(adviceProblem);
    const { broken, advice, problems } = await findBroken(context, finish, signal);
    if (isAdviceFresh) fresh.push(...advice);
    onSentBack(problems.filter(({ severity }) => severity === 'must' || isAdviceFresh));
    const named = await findPrivateNames(context, signal);
    if (named.length > 0) wrong.push(`${namesProblem}\n${list(named)}`);
    return [...marked.map(describeMarkers), ...broken, ...wrong, ...fresh];
  };
}

/** Each at most one text. */
async function findBroken(
  { parts, checkout, job, run }: CheckedOutRun,
  { explained = [] }: Finish,
  signal: AbortSignal,
) {
  const { docs, workspace } = checkout;
  const { problems: all = [], goneFiles = [] } = (await docs.check(workspace.writes(), { signal })) ?? {};
  const earlier = all.length > 0 ? findEarlierChecks(await listRuns(parts.database, job.job_id), run) : undefined;
  const problems = all.filter(
    (problem) => (findOwnExplanation(explained, problem) ?? findExplanation(earlier, problem)) === undefined,
  );
  const describe = (severity: 'must' | 'should', heading: string) => {
    const found = problems.filter((problem) => problem.severity === severity);
    return found.length === 0
      ? []
      : [`${heading}\n${escapeElements(describeProblems({ problems: found, goneFiles }))}`];
  };
  return { broken: describe('must', brokenProblem), advice: describe('should', adviceProblem), problems };
}

const brokenProblem =
  'Your change breaks the documentation here. Fix it. What you cannot fix, explain in finish: {explained: [{file, why}]}:';

const adviceProblem =
  'Readers would lose their way here. Fix it, or say why it is right in finish: {explained: [{file, why}]}. This comes up once:';

const namesProblem =
  'Not all readers of the documentation may see these repositories. Write without their names and addresses; while one is there, nothing of this run is published:';

const secretsProblem =
  'This looks like a secret, and secrets are not published. Replace it by a placeholder such as <YOUR_TOKEN>, in files and in what you say; if a secret is still there at the next finish, nothing of this run is published:';

/** Places that do not exist, every time; once, the pages of an automation's run that rest on nothing. */
async function findEvidenceProblems(
  context: CheckedOutRun,
  { evidence = [] }: Finish,
  { isFresh, signal }: { isFresh: (problem: string) => boolean; signal: AbortSignal },
): Promise<string[]> {
  const { problems } = await checkEvidence(context, evidence, signal);
  const wrong = problems.length === 0 ? [] : [`${wrongPlaces}\n${list(problems)}`];
  if (!isFresh(missing) || !(await isAutomatic(context))) return wrong;
  const resting = new Set(evidence.map(({ page }) => toPlain(page)));
  const pages = [...context.checkout.workspace.writes()]
    .filter(([path, bytes]) => bytes !== null && isProse(path) && !resting.has(path))
    .map(([path]) => path);
  return pages.length === 0 ? wrong : [...wrong, `${missing}\n${list(pages)}`];
}

const wrongPlaces = 'These places of your evidence do not exist. Correct them, or leave them out:';

const missing =
  'Nobody asked for this change in person, so reviewers need to see what it rests on. Give evidence for each of these pages, or take back what rests on nothing; this comes up once:';

/** Whether the run answers an automation, and no person. */
export async function isAutomatic({ parts, run }: CheckedOutRun): Promise<boolean> {
  const messages = await listMessagesOfRun(parts.database, run.run_id);
  return messages.some(({ source, context }) => source === 'automation' && !context?.conversation);
}

const toPlain = (path: string) => path.trim().replace(/^(?:\.?\/)+/, '');
const list = (items: readonly string[]) => items.map((item) => `- ${escapeElements(item)}`).join('\n');
