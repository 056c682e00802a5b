import { readShownPublication, type Story, type StoryRun } from './read-story.ts';

interface FoundProblem {
  file: string;
  line: number;
  message: string;
  severity?: 'must' | 'should';
  sentBack?: boolean;
  /** Of the agent, why it left the problem. */
  explanation: string | null;
}

interface FoundProblems {
  problems: readonly FoundProblem[];
  /** Problems that are not listed. */
  more: number;
  /** What the checks could not look at, in whole sentences. */
  notChecked: readonly string[];
}

/** What the checks found in a run: from its events, or from the publication once they were removed. Only the publication has explanations. */
export function listProblems(run: StoryRun, { progress }: Story): FoundProblems {
  const problems = progress.problems.filter(({ runId }) => runId === run.run_id);
  const left = readShownPublication(run)?.checks ?? { problems: [], more: 0, notChecked: [] };
  if (problems.length === 0) return left;
  const isSame = (a: { file: string; message: string }, b: typeof a) => a.file === b.file && a.message === b.message;
  const explain = (problem: (typeof problems)[number]) => ({
    ...problem,
    explanation: left.problems.find((other) => isSame(other, problem))?.explanation ?? null,
  });
  return { ...left, problems: problems.map(explain), more: 0 };
}

/** How many problems are left in what the job pushed last. While a run works, the agent may still fix them. */
export function countLeft(story: Story): number {
  const pushed = story.runs.findLast(({ commit_sha: sha }) => sha !== null);
  if (!pushed || story.runs.at(-1)?.phase !== 'ended') return 0;
  const { problems, more } = listProblems(pushed, story);
  return problems.filter(({ sentBack }) => sentBack !== true).length + more;
}
