import { nameOccasion } from '../jobs/job-events.ts';
import { readRunAnswer } from '../jobs/shown-publication.ts';
import type { Automation } from '../repository/automation-shapes.ts';
import { type ListedAutomation, listProjectAutomations } from '../store/lists/list-automations.ts';
import type { Database } from '../store/postgres/database.ts';
import { bound } from '../text/bound.ts';
import { readSetting } from './read-automation.ts';

export const automationStates = ['active', 'paused', 'broken'] as const;
export const runResults = ['published', 'unchanged', 'failed'] as const;

export interface AutomationState {
  on: Automation['on'];
  every: Automation['every'];
  prompt: Automation['prompt'];
  name: string;
  state: (typeof automationStates)[number];
  /** Why it is broken, or why what waits has to wait longer. */
  problem: string | null;
  /** Occasions. */
  waiting: number;
  /** null: nothing waits, or it is paused. */
  nextRunAt: Date | null;
  lastRun: { jobId: string; runId: string; at: Date; result: (typeof runResults)[number]; sentence: string } | null;
  /** The newest first. */
  passedOver: { occasion: string; at: Date; reason: string }[];
}

/** The automations of a project as its people and programs see them, by name. */
export async function describeAutomations(database: Database, projectId: string): Promise<AutomationState[]> {
  return (await listProjectAutomations(database, projectId)).flatMap(describe);
}

function describe({ row, waiting, lastRun, passed }: ListedAutomation): AutomationState[] {
  const setting = readSetting(row);
  if (!setting) return [];
  const state = row.broken !== null ? 'broken' : row.paused_at !== null ? 'paused' : 'active';
  const times = [waiting > 0 ? row.due_at : null, row.scheduled_at].filter((time) => time !== null);
  const next = times.toSorted((one, other) => one.getTime() - other.getTime())[0];
  return [
    {
      name: row.name,
      on: setting.on,
      every: setting.every,
      prompt: setting.prompt,
      state,
      problem: row.broken ?? row.held,
      waiting,
      nextRunAt: state === 'active' ? (next ?? null) : null,
      lastRun: lastRun && describeRun(lastRun),
      passedOver: passed.map(({ subject, reason, finishedAt }) => ({
        occasion: nameOccasion(subject),
        at: finishedAt,
        reason,
      })),
    },
  ];
}

const maxSentence = 2_000;

function describeRun(run: NonNullable<ListedAutomation['lastRun']>): AutomationState['lastRun'] {
  const result = run.outcome === 'failed' ? 'failed' : run.commit_sha === null ? 'unchanged' : 'published';
  const reason = result === 'unchanged' ? readRunAnswer(run) : null;
  const sentence = bound(reason ?? run.sentence ?? '', maxSentence);
  return { jobId: run.job_id, runId: run.run_id, at: run.ended_at, result, sentence };
}
