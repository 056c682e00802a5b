import type { z } from 'zod';
import type { Checked } from '../docs/check-change.ts';
import type { Problem } from '../docs/problem.ts';
import type { checkReportSchema } from '../jobs/shown-publication.ts';
import { bound } from '../text/bound.ts';

const maxProblems = 50;
const maxLength = 500;
const maxNotChecked = 10;

export type CheckReport = z.infer<typeof checkReportSchema>;
export type ReportedProblem = CheckReport['problems'][number];

export const checksDidNotRun: CheckReport = {
  ran: false,
  links: 0,
  pages: 0,
  unparsed: 0,
  navigation: false,
  notChecked: [],
  problems: [],
  more: 0,
};

/** `explain`: why the agent leaves a problem. */
export function toCheckReport(
  checked: Checked,
  explain: (problem: Problem) => string | undefined = () => undefined,
): CheckReport {
  const { problems, navigation, notChecked } = checked;
  const listed = problems
    .toSorted((a, b) => Number(a.severity === 'should') - Number(b.severity === 'should'))
    .slice(0, maxProblems);
  return {
    ran: true,
    links: checked.checkedLinks,
    pages: checked.parsedPages,
    unparsed: checked.unparsedPages,
    navigation,
    notChecked: notChecked.slice(0, maxNotChecked).map((sentence) => bound(sentence, maxLength)),
    problems: listed.map((problem) => ({
      file: bound(problem.file, maxLength),
      line: problem.line,
      kind: problem.kind,
      severity: problem.severity,
      message: bound(problem.message, maxLength),
      target: bound(problem.target, maxLength),
      explanation: bound(explain(problem) ?? '', maxLength) || null,
    })),
    more: problems.length - listed.length,
  };
}

/** The reason that a call of finish gives for the problem, by its file or its line. */
export const findOwnExplanation = (
  explained: readonly { file: string; why: string }[],
  { file, line }: Problem,
): string | undefined => explained.find((each) => each.file === file || each.file === `${file}:${line}`)?.why;

/** Why the agent left the same problem in an earlier report. */
export const findExplanation = (
  earlier: CheckReport | undefined,
  { file, kind, target }: Problem,
): string | undefined =>
  earlier?.problems.find(
    (other) =>
      other.kind === kind && other.file === bound(file, maxLength) && other.target === bound(target, maxLength),
  )?.explanation ?? undefined;
