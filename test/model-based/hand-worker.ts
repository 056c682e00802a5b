import { HandedOver, LeaseLost, StopRequested } from '../../src/errors.ts';
import { beginRun } from '../../src/runs/execute-run.ts';
import { type Publication, publicationSchema } from '../../src/runs/publication.ts';
import { freezePublication } from '../../src/runs/publish/freeze.ts';
import { resolveFailure } from '../../src/runs/resolve-failure.ts';
import { createRunContext } from '../../src/runs/run-context.ts';
import { claimJob } from '../../src/store/schedule/claim-job.ts';
import { inLease, type Lease } from '../../src/store/schedule/lease.ts';
import type { Job } from '../../src/store/tables/jobs/jobs.ts';
import { type Run, updateRun } from '../../src/store/tables/jobs/runs.ts';
import { openJournal } from '../support/worlds/open-journal.ts';
import type { Parts } from './create-parts.ts';
import { type Outcome, type Pushed, publicationOf, publishByHand } from './publish-by-hand.ts';

/** When a worker dies while it publishes: right after that was done, before it is recorded. */
export type Death = 'push' | 'write';
export type Step = 'goes on' | 'ended' | 'died';

interface Hold {
  lease: Lease;
  job: Job;
  run: Run;
  publication?: Publication;
}

const expected = [LeaseLost, StopRequested, HandedOver];
const died = new Error('the worker died');

/**
 * A worker whose runs go on one step at a time, when a test says so. Everything that decides is the service's own: claim, begin, the
 * journal, freezing, effects, answers, ends. Only the agent's work and git are left out.
 */
export function createHandWorker(parts: Parts) {
  const { database, runParts } = parts;
  const pushes: Pushed[] = [];
  let hold: Hold | undefined;
  /** Those that died; as if they had only been frozen, they may wake up. */
  const frozen: Hold[] = [];

  const createContext = ({ lease, job, run }: Hold, signal = new AbortController().signal) =>
    createRunContext(runParts, {
      lease,
      job,
      run,
      signals: { work: signal, grace: signal, publish: signal, gone: signal },
    });

  /** As `executeRun` does it: whatever is thrown settles the run. */
  async function step(work: (held: Hold) => Promise<Step>): Promise<Step> {
    if (!hold) throw new Error('nobody holds the job');
    const held = hold;
    hold = undefined;
    try {
      const next = await work(held);
      if (next === 'goes on') hold = held;
      return next;
    } catch (error) {
      if (error === died) return expire(held);
      // Nothing else is expected to go wrong here.
      if (!expected.some((kind) => error instanceof kind)) throw error;
      await resolveFailure(error, createContext(held));
      return 'ended';
    }
  }

  async function expire(held: Hold): Promise<Step> {
    frozen.push(held);
    const { jobId, epoch } = held.lease;
    await database
      .updateTable('jobs')
      .set({ lease_until: new Date(Date.now() - 1000) })
      .where('job_id', '=', jobId)
      .where('lease_epoch', '=', epoch)
      .where('lease_owner', 'is not', null)
      .execute();
    return 'died';
  }

  /** The model answered while the worker was frozen. */
  async function saveLateAnswer(held: Hold): Promise<void> {
    const journal = await openJournal(database, held);
    await journal.saveAnswer(journal.turns.length, answer);
  }

  return {
    /** What was pushed, oldest first. */
    pushes: pushes as readonly Pushed[],

    /** Whether the job knew its pull request when it was claimed. */
    knowsPullRequest: () => hold?.job.pull_request_number !== null,

    /** Looks for work. False: nothing is due. */
    async claim(): Promise<boolean> {
      const lease = await claimJob(database, 'by hand');
      const begun = lease && (await beginRun(parts, lease));
      if (!lease || begun?.kind !== 'begun') return lease !== undefined;
      const { job, run } = begun;
      hold = { lease, job, run };
      if (run.phase === 'publishing') hold.publication = publicationSchema.parse(run.publication);
      else if (run.stop_requested) await step(() => Promise.reject(new StopRequested()));
      return true;
    },

    /** What those that were frozen can still write when they wake up, after somebody else has claimed the job. */
    async wakeFrozen(): Promise<('lost' | 'wrote')[]> {
      const woken = frozen.splice(0);
      const writes = woken.flatMap((held) => [
        inLease(database, held.lease, (tx) => updateRun(tx, held.run.run_id, {})),
        saveLateAnswer(held),
      ]);
      const ends = await Promise.allSettled(writes);
      return ends.map((end) => (end.status === 'rejected' && end.reason instanceof LeaseLost ? 'lost' : 'wrote'));
    },

    /** One turn of the agent: it takes the messages that wait. */
    turn: () =>
      step(async ({ lease, run }) => {
        const journal = await openJournal(database, { lease, run });
        const index = journal.turns.length;
        await journal.openTurn(index, []);
        await journal.saveAnswer(index, answer);
        await journal.saveResults(index, []);
        return 'goes on';
      }),

    /** The agent is done. */
    freeze: (outcome: Outcome) =>
      step(async (held) => {
        const publication = publicationOf(held, outcome);
        await freezePublication(createContext(held), publication);
        held.publication = publication;
        return 'goes on';
      }),

    publish: ({ death, isAnswerLost = false }: { death?: Death | undefined; isAnswerLost?: boolean } = {}) =>
      step(async (held) => {
        const { publication } = held;
        if (!publication) throw new Error('nothing was frozen');
        const dying = new AbortController();
        using _lost = isAnswerLost ? parts.loseNextAnswer() : undefined;
        if (death === 'write') parts.onNextWrite(() => dying.abort(died));
        const onPushed = () => {
          if (death === 'push') throw died;
        };
        try {
          const context = createContext(held, dying.signal);
          await publishByHand(parts, { context, publication, pushes, onPushed });
          return 'ended';
        } finally {
          parts.onNextWrite(undefined);
        }
      }),

    handOver: () => step(() => Promise.reject(new HandedOver('the worker is stopping'))),
    die: () => step(() => Promise.reject(died)),
  };
}

export type HandWorker = ReturnType<typeof createHandWorker>;

const usage = { tokensIn: 1, tokensOut: 1, tokensCached: 0 };
const answer = { text: 'On it.', toolCalls: [], items: [], usage, stop: 'end' as const };
