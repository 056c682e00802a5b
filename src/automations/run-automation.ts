import { randomUUID } from 'node:crypto';
import type { NamedChange } from '../context/changes/find-named-changes.ts';
import type { Automation } from '../repository/automation-shapes.ts';
import { inTransaction, type Store } from '../store/store.ts';
import type { AutomationRow } from '../store/tables/automations/automations.ts';
import { type AutomationKey, listWaitingOccasions, noteOccasion } from '../store/tables/automations/occasions.ts';
import type { AutomationParts } from './automation-parts.ts';
import { describeChange, type JudgedOccasion, judgeOccasions } from './judge-occasions.ts';
import { readAutomation } from './read-automation.ts';
import { type TakenUp, takeUp, waitingLimit } from './take-up.ts';

export type NotRun = { kind: 'unknown' } | { kind: 'paused' } | { kind: 'broken' | 'unread'; problem: string };

/** A run that somebody asked for, with what GitHub said of its occasions. */
export interface Prepared {
  kind: 'prepared';
  key: AutomationKey;
  row: AutomationRow;
  setting: Automation;
  /** What waits, or the pull request that was asked for; none: the prompt alone. */
  judged: readonly JudgedOccasion[];
}

export interface RunRequest {
  key: AutomationKey;
  /** It is taken up whatever it changed. */
  pullRequest: NamedChange | undefined;
}

/** Asks GitHub, before the transaction of `runAutomation`. Throws where GitHub does not answer. */
export async function prepareRun(
  parts: AutomationParts,
  { key, pullRequest }: RunRequest,
  signal: AbortSignal,
): Promise<Prepared | NotRun> {
  const { database } = parts;
  const found = await readAutomation(database, key);
  if (!found || found.project.removed_at) return { kind: 'unknown' };
  const { row, setting, project } = found;
  if (row.broken !== null) return { kind: 'broken', problem: row.broken };
  if (row.paused_at !== null) return { kind: 'paused' };
  if (pullRequest) return readAsked(parts, { key, row, setting, pullRequest }, signal);
  const occasions = await listWaitingOccasions(database, key, waitingLimit);
  const judged = await judgeOccasions(parts, occasions, { project, setting, signal });
  return { kind: 'prepared', key, row, setting, judged };
}

async function readAsked(
  { changes, database }: AutomationParts,
  options: { key: AutomationKey; row: AutomationRow; setting: Automation; pullRequest: NamedChange },
  signal: AbortSignal,
): Promise<Prepared | NotRun> {
  const { key, row, setting, pullRequest } = options;
  const change = await changes.read(pullRequest, { projectId: key.projectId, signal });
  if (change.kind !== 'found') return { kind: 'unread', problem: change.problem };
  const waiting = await listWaitingOccasions(database, key, waitingLimit);
  // Otherwise it would be documented now, and again when it is due.
  const same = waiting.find(
    ({ subject: { kind, repositoryId, number } }) =>
      kind === 'pull_request' && repositoryId === change.repositoryId && number === change.number,
  );
  const occasion = same?.key ?? `request:${randomUUID()}`;
  const judged = [{ key: occasion, subject: describeChange(change), change }];
  return { kind: 'prepared', key, row, setting, judged };
}

/** Takes it up now. `author`: who asks. Idempotent where its caller is. */
export function runAutomation(
  store: Store,
  parts: AutomationParts,
  { key, row, setting, judged }: Prepared,
  { author }: { author: string },
): Promise<TakenUp> {
  return inTransaction(store, async (storeTx) => {
    const isNothingLeft = judged.every(({ passedBecause }) => passedBecause !== undefined);
    const subject = { kind: 'request', title: `asked for by ${author}` } as const;
    const all = isNothingLeft ? [...judged, { key: `request:${randomUUID()}`, subject }] : judged;
    for (const each of all)
      if (each.key.startsWith('request:'))
        await noteOccasion(storeTx.tx, key, { key: each.key, subject: each.subject, occurredAt: new Date() });
    return takeUp(storeTx, parts, { key, row, setting, judged: all, isAskedFor: true });
  });
}
