import type { z } from 'zod';
import type { Refusal } from '../errors.ts';
import { AmbiguousWrite } from '../github/refusals/errors.ts';
import { isRefusal } from '../github/refusals/read-refusal.ts';
import { pause } from '../pause.ts';
import type { Tx } from '../store/postgres/database.ts';
import { inLease } from '../store/schedule/lease.ts';
import { effectKind, intendEffect, markEffectDone, markEffectRefused } from '../store/tables/effects.ts';
import type { RunAtSite } from './prepare/open-checkout.ts';
import type { RunParts } from './run-parts.ts';

/** One thing to be done to the outside world. */
export interface EffectGiven<Done extends { externalId: string }> {
  key: string;
  request: object;
  /** Of what is stored as the answer. */
  schema: z.ZodType<Done>;
  /** Looks for what a try before may have done; absent where doing it again does no harm. */
  find?: () => Promise<Done | undefined>;
  /** `find` is called before and after each of these, in milliseconds; none where it sees at once what was done. */
  lagsMs?: readonly number[];
  act: () => Promise<Done>;
  /** What else is written in the transaction that marks the effect done. */
  record?: (tx: Tx, done: Done) => Promise<void>;
  /** The same where GitHub refuses it. */
  recordRefusal?: (tx: Tx, refusal: Refusal) => Promise<void>;
  /** Takes back what an old holder, or a write of ours that got no answer, still had on the wire. Nobody else can have anything there. */
  heal?: () => Promise<void>;
}

/**
 * Does one thing to the outside world exactly once. It is recorded as intended, in a transaction of the lease, before; and as
 * done after. Whoever comes to an effect that is intended but not done, or gets no clear answer, reads the world first: what
 * is found is adopted, only what is missing is done (again). Returns what was done, also when that was long ago. A `Refusal`, with which
 * GitHub refuses it, is recorded and thrown on.
 */
export async function performEffect<Done extends { externalId: string }>(
  { database, takeStep }: Pick<RunParts, 'database' | 'takeStep'>,
  { lease, run, signal }: Pick<RunAtSite, 'lease' | 'run' | 'signal'>,
  {
    key,
    request,
    schema,
    find = async () => undefined,
    lagsMs = [],
    act,
    record = async () => {},
    recordRefusal = async () => {},
    heal = async () => {},
  }: EffectGiven<Done>,
): Promise<Done> {
  const { jobId, epoch } = lease;
  const { effect, isNew } = await inLease(database, lease, (tx) =>
    intendEffect(tx, { jobId, runId: run.run_id, epoch, key, request }),
  );
  if (effect.state === 'done') return schema.parse(effect.response);
  let mayBeDoubled = !isNew;
  const kind = effectKind({ key, request });
  const done = await takeStep({ step: kind, jobId, effect: kind }, findOrAct).catch(refuse);
  await takeStep({ step: `record ${kind}`, jobId }, () =>
    inLease(database, lease, async (tx) => {
      await markEffectDone(tx, { jobId, key, response: done, externalId: done.externalId });
      await record(tx, done);
    }),
  );
  return done;

  async function findOrAct(): Promise<Done> {
    const found = (isNew ? undefined : await findWithLag()) ?? (await actOnce());
    if (mayBeDoubled) await heal();
    return found;
  }

  async function refuse(error: unknown): Promise<never> {
    if (!isRefusal(error)) throw error;
    await inLease(database, lease, async (tx) => {
      await markEffectRefused(tx, { jobId, key, reason: error.message });
      await recordRefusal(tx, error);
    });
    throw error;
  }

  async function actOnce(): Promise<Done> {
    signal.throwIfAborted();
    try {
      return await act();
    } catch (error) {
      if (!(error instanceof AmbiguousWrite)) throw error;
      mayBeDoubled = true;
      const found = await findWithLag();
      if (found) return found;
      // The lease may be gone after all this waiting: prove it before a second try.
      await inLease(database, lease, async () => {});
      return act();
    }
  }

  /** What was written a moment ago may not be shown yet; what is there is found at the first look. */
  async function findWithLag(): Promise<Done | undefined> {
    for (const lagMs of lagsMs) {
      const found = await find();
      if (found) return found;
      await pause(lagMs, signal);
    }
    return find();
  }
}
