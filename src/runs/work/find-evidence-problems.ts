import type { Finish } from '../../agent/finish.ts';
import { isProse } from '../../docs/page-extensions.ts';
import { listMessagesOfRun } from '../../store/tables/jobs/messages.ts';
import { escapeElements } from '../escape-elements.ts';
import type { CheckedOutRun } from '../run-context.ts';
import { checkEvidence } from './evidence.ts';

/** Places that do not exist, every time; once, the pages of an automation's run that rest on nothing. */
export async function findEvidenceProblems(
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

/** By a name that the stored column has since automations start runs. */
const automation: string = 'automation';

async function isAutomatic({ parts, run }: CheckedOutRun): Promise<boolean> {
  const messages = await listMessagesOfRun(parts.database, run.run_id);
  return messages.some(({ source, context }) => source === automation && !context?.conversation);
}

const toPlain = (path: string) => path.trim().replace(/^(?:\.?\/)+/, '');
const list = (items: readonly string[]) => items.map((item) => `- ${escapeElements(item)}`).join('\n');
