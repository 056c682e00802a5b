import type { Tokens } from '../../../config/prices.ts';

/** How a job ends: `job.completed` and so on follow `run.ended` in the same transaction. */
interface RunEnd extends Tokens {
  runId: string;
  number: number;
  outcome: 'completed' | 'failed';
  code: string;
  sentence: string;
  /** What the agent says it did, or answers; null: it said nothing. */
  summary: string | null;
  commit: string | null;
}

interface PullRequest {
  runId: string;
  number: number;
  url: string;
  title: string;
}

/** The data of each type of event. Texts are bounded and free of secrets. */
export interface EventData {
  'job.created': { ref: string; model: string; draft: boolean };
  'message.accepted': { messageId: string; source: string; author: string; text: string };
  /** A message of an automation was accepted. */
  'automation.started': { messageId: string; name: string; occasions: string[] };
  'run.started': { runId: string; number: number };
  /** Once for each cause in a row, however often the run is tried again. */
  'run.waiting': { runId: string; reason: string };
  'turn.answered': { runId: string; turn: number; text: string; tools: string[] } & Tokens;
  'tool.finished': {
    runId: string;
    turn: number;
    name: string;
    arguments: string;
    result: string;
    isError: boolean;
  };
  /** Against the base commit of the run, so far: 0 and 0 after a change was taken back. `null`: not text. */
  'file.changed': { runId: string; path: string; additions: number | null; deletions: number | null };
  'check.problem': {
    runId: string;
    file: string;
    line: number;
    kind: string;
    severity: 'must' | 'should';
    message: string;
    /** True: the agent was asked to fix it. False: it is published, and the pull request says so. */
    sentBack: boolean;
  };
  'run.ended': RunEnd;
  'pull_request.opened': PullRequest;
  'pull_request.updated': PullRequest;
  'job.completed': { runId: string };
  'job.failed': { runId: string; code: string; sentence: string };
  'job.archived': { reason: string };
  'job.unarchived': Record<never, never>;
}

export type EventType = keyof EventData;
export type NewEvent = { [Type in EventType]: { type: Type; data: EventData[Type] } }[EventType];
