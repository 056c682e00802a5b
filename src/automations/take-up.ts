import { acceptMessage } from '../jobs/add-message.ts';
import { createJob } from '../jobs/create-job.ts';
import type { Automation } from '../repository/automation-shapes.ts';
import type { StoreTx } from '../store/store.ts';
import { type AutomationRow, lockAutomation, updateAutomation } from '../store/tables/automations/automations.ts';
import {
  type AutomationKey,
  countTakenToday,
  listWaitingOccasions,
  markTaken,
  passOver,
} from '../store/tables/automations/occasions.ts';
import { type Job, lockJob } from '../store/tables/jobs/jobs.ts';
import { lockProject } from '../store/tables/repositories/projects.ts';
import type { AutomationParts } from './automation-parts.ts';
import type { JudgedOccasion } from './judge-occasions.ts';

/** `joined`: a follow-up of a job that is open. `held`: nothing is taken up before `until`. */
export type TakenUp = Taken | NotTaken;

interface Taken {
  kind: 'created' | 'joined';
  job: Job;
}

export type NotTaken =
  | { kind: 'nothing' }
  | { kind: 'gone' }
  /** Another process took up something meanwhile. */
  | { kind: 'changed' }
  | { kind: 'held'; code: 'budget-exhausted' | 'too-many-waiting' | 'day-limit'; problem: string; until: Date };

export const isTaken = (result: TakenUp): result is Taken => result.kind === 'created' || result.kind === 'joined';

interface TakeUp {
  key: AutomationKey;
  row: AutomationRow;
  setting: Automation;
  judged: readonly JudgedOccasion[];
  /** A person asked for it: the limit of the day is for what nobody asked for. */
  isAskedFor?: boolean;
}

/**
 * Makes one message of the judged occasions that still wait: in the automation's job while it is open, or else in a new one. Each occasion is
 * taken up once, whoever else does the same.
 */
export async function takeUp(
  store: StoreTx,
  parts: AutomationParts,
  { key, row, setting, judged, isAskedFor = false }: TakeUp,
): Promise<TakenUp> {
  const { tx } = store;
  if (!(await lockProject(tx, key.projectId))) return { kind: 'gone' };
  // In this order: installation, project, job, automation.
  const job = row.job_id === null ? undefined : await lockJob(tx, row.job_id);
  const locked = await lockAutomation(tx, key);
  if (!locked) return { kind: 'gone' };
  if (locked.job_id !== row.job_id) return { kind: 'changed' };
  const waiting = await listWaitingOccasions(tx, key, waitingLimit);
  const known = judged.filter((each) => waiting.some((occasion) => occasion.key === each.key));
  for (const { key: occasion, passedBecause: reason, subject } of known)
    if (reason !== undefined) await passOver(tx, key, { key: occasion, reason, subject });
  const closed = known.find(({ isClosed }) => isClosed);
  if (closed) await updateAutomation(tx, key, { broken: closed.passedBecause ?? null });
  const taken = known.filter(({ passedBecause }) => passedBecause === undefined);
  if (taken.length === 0) {
    await rest(store, key);
    return { kind: 'nothing' };
  }
  const limit = isAskedFor ? undefined : await findDayLimit(store, key, parts);
  const result = limit ?? (await send(store, parts, { key, job, setting, taken }));
  if (result.kind === 'held') {
    await updateAutomation(tx, key, { held: result.problem, due_at: result.until });
    return result;
  }
  if (result.kind !== 'sent') return result;
  for (const { key: occasion, subject } of taken)
    await markTaken(tx, key, { key: occasion, subject, messageId: result.messageId });
  await updateAutomation(tx, key, { job_id: result.job.job_id });
  await rest(store, key);
  return { kind: result.isNew ? 'created' : 'joined', job: result.job };
}

/** So many occasions are one message at most. */
export const waitingLimit = 50;

/** What still waits stays due when it was: it came in the meantime, or is too much for one message. */
async function rest({ tx }: StoreTx, key: AutomationKey): Promise<void> {
  const isWaiting = (await listWaitingOccasions(tx, key, 1)).length > 0;
  await updateAutomation(tx, key, { held: null, ...(!isWaiting && { due_at: null }) });
}

async function findDayLimit(
  { tx }: StoreTx,
  { projectId }: AutomationKey,
  { runsPerDay }: AutomationParts,
): Promise<Held | undefined> {
  const { taken, nextDayAt: until } = await countTakenToday(tx, projectId);
  if (taken < runsPerDay) return undefined;
  const problem = `The automations of this project have started ${taken} runs today, which is the limit. It goes on at midnight (UTC).`;
  return { kind: 'held', code: 'day-limit', problem, until };
}

type Sent = { kind: 'sent'; job: Job; messageId: string; isNew: boolean } | NotTaken;

async function send(
  store: StoreTx,
  { limits, models }: AutomationParts,
  options: { key: AutomationKey; job: Job | undefined; setting: Automation; taken: readonly JudgedOccasion[] },
): Promise<Sent> {
  const { key, job, setting, taken } = options;
  const { projectId, name } = key;
  const message = {
    source: 'automation' as const,
    author: name,
    prompt: setting.prompt,
    changes: taken.flatMap(({ change }) => change ?? []),
    context: { occasions: taken.map(({ subject }) => subject) },
  };
  if (job && isOpen(job)) {
    const added = await acceptMessage(store, job, { jobId: job.job_id, ...message }, limits);
    if (added.kind === 'accepted')
      return { kind: 'sent', job: added.job, messageId: added.message.message_id, isNew: false };
    if (added.kind === 'too_many_waiting') return tooManyWaiting();
    if (added.kind === 'budget_exhausted') return budgetExhausted(added.budget.resetsAt);
    throw new Error(`could not send a message to ${job.job_id}: ${added.kind}`);
  }
  const settings = { base: null, model: null, draft: null, models };
  const database = { database: store.tx, queue: store.queue };
  const created = await createJob(database, {
    projectId,
    ...message,
    ...settings,
    ...limits,
    automation: name,
  });
  if (created.kind === 'accepted') return { kind: 'sent', job: created.job, messageId: created.messageId, isNew: true };
  if (created.kind === 'budget_exhausted') return budgetExhausted(created.budget.resetsAt);
  if (created.kind === 'project_gone') return { kind: 'gone' };
  throw new Error(`could not create a job of ${name}: ${created.kind}`);
}

/** It has a pull request, or may still get one. */
const isOpen = ({ status, branch, pull_request_number: number }: Job): boolean =>
  status === 'active' || (status !== 'archived' && (number !== null || branch !== null));

type Held = Extract<NotTaken, { kind: 'held' }>;

const tooManyWaiting = (): Held => ({
  kind: 'held',
  code: 'too-many-waiting',
  problem: 'Its job has too many messages that wait for an answer.',
  until: new Date(Date.now() + 10 * 60_000),
});

const budgetExhausted = (until: Date): Held => ({
  kind: 'held',
  code: 'budget-exhausted',
  problem: `This project has used up its tokens of this month. It goes on on ${until.toISOString().slice(0, 10)} (UTC), or when the operator allows more.`,
  until: new Date(Math.min(until.getTime(), Date.now() + 3600_000)),
});
