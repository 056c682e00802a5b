import type { NewEvent } from '../store/tables/jobs/event-data.ts';
import { bound } from '../text/bound.ts';

const maxMessageLength = 2_000;

/** `kind`: a kind of the checks. */
export interface TellableProblem {
  file: string;
  line: number;
  kind: string;
  severity: 'must' | 'should';
  message: string;
}

/** The events `check.problem`. `sentBack`: the agent is asked to fix them. */
export const toProblemEvents = (
  runId: string,
  problems: readonly TellableProblem[],
  { sentBack }: { sentBack: boolean },
): NewEvent[] =>
  problems.map(({ file, line, kind, severity, message }) => ({
    type: 'check.problem',
    data: { runId, file, line, kind, severity, message: bound(message, maxMessageLength), sentBack },
  }));
