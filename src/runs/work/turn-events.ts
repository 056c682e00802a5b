import type { ModelAnswer, Turn } from '../../agent/model/model.ts';
import type { NewEvent } from '../../store/tables/jobs/event-data.ts';
import { bound } from '../../text/bound.ts';
import type { Redactor } from '../../text/redact.ts';
import { type RunTask, ThreadFailure, ThreadsBusy } from '../../threads/threads.ts';
import { changedLinesTask } from '../../workspace/count-changed-lines.ts';
import { decodeText } from '../../workspace/decode-text.ts';
import type { Workspace } from '../../workspace/workspace.ts';
import { listDifferences, type Writes } from '../../workspace/write-set.ts';
import { type TellableProblem, toProblemEvents } from '../check-problem-events.ts';

export type TurnEvents = ReturnType<typeof createTurnEvents>;

const maxTextLength = 4_000;
const maxValueLength = 2_000;
const maxNameLength = 100;

/** The events of a run's turns, bounded and without secrets. */
export function createTurnEvents(options: {
  runId: string;
  redactor: Redactor;
  workspace: { readOriginal: Workspace['readOriginal'] };
  runTask: RunTask;
}) {
  const { runId, redactor, workspace, runTask } = options;
  const show = (text: string, length: number) => bound(redactor.redact(text), length);
  let sentBack: NewEvent[] = [];

  return {
    describeAnswer: (turn: number, { text, toolCalls, usage }: ModelAnswer): NewEvent => ({
      type: 'turn.answered',
      data: {
        runId,
        turn,
        text: show(text, maxTextLength),
        tools: toolCalls.map(({ name }) => show(name, maxNameLength)),
        tokensIn: usage.tokensIn,
        tokensCached: usage.tokensCached,
        tokensOut: usage.tokensOut,
      },
    }),
    describeResults: (
      turn: number,
      { toolCalls }: { toolCalls: ModelAnswer['toolCalls'] },
      results: NonNullable<Turn['results']>,
    ): NewEvent[] =>
      toolCalls.map((call, index) => ({
        type: 'tool.finished',
        data: {
          runId,
          turn,
          name: show(call.name, maxNameLength),
          arguments: show(call.arguments, maxValueLength),
          result: show(results[index]?.output ?? '', maxValueLength),
          isError: results[index]?.isError ?? true,
        },
      })),
    /** One event for each file that differs between two write sets. */
    async describeFiles(earlier: Writes, later: Writes, signal: AbortSignal): Promise<NewEvent[]> {
      const files = listDifferences(earlier, later).map((path) => {
        const before = workspace.readOriginal(path);
        const bytes = later.get(path);
        return { path, before, after: bytes === undefined ? before : bytes ? decodeText(bytes) : undefined };
      });
      const counts = await runTask(changedLinesTask, files, signal).catch((error: unknown) => {
        if (error instanceof ThreadFailure || error instanceof ThreadsBusy) return [];
        throw error;
      });
      return files.map(({ path }, index) => ({
        type: 'file.changed',
        data: {
          runId,
          path,
          additions: counts[index]?.additions ?? null,
          deletions: counts[index]?.deletions ?? null,
        },
      }));
    },
    /** The agent was asked to fix these problems. */
    sendBack(problems: readonly TellableProblem[]) {
      sentBack.push(...toProblemEvents(runId, problems, { sentBack: true }));
    },
    takeSentBack(): NewEvent[] {
      const taken = sentBack;
      sentBack = [];
      return taken;
    },
  };
}
