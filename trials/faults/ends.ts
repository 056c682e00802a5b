import { type FaultyKind, faultyKinds } from './kinds/faulty-kinds.ts';
import { countWorkspaces } from './leftovers.ts';
import type { Trial } from './trial.ts';

/** Every failure of a model or its server, in both protocols, ends the run with its one code. */
export async function tryEnds(trial: Trial): Promise<void> {
  const { world, rounds, ledger } = trial;
  await rounds.stop();
  for (const api of ['responses', 'chat']) {
    const worker = await world.spawnWorker({
      CLAIMS: 'open',
      OPENAI_API: api,
      RUN_MAX_TURNS: '12',
    });
    await Promise.all(faultyKinds.map((kind, index) => tryEnd(kind, 50 + index, api)));
    await countWorkspaces(trial, `ends: ${api}`, worker.machine);
    await worker.kill('SIGTERM');
  }

  async function tryEnd(kind: FaultyKind, nth: number, api: string): Promise<void> {
    const trialJob = await world.createJob(await world.project('plain', nth), kind.name);
    const unsettled = await world.settled([trialJob.jobId]).then(
      () => '',
      (error: Error) => error.message,
    );
    const run = await world.database
      .selectFrom('runs')
      .selectAll()
      .where('job_id', '=', trialJob.jobId)
      .executeTakeFirst();
    const isRight = run?.code === kind.code && run.sentence !== null;
    const text = `${kind.name}: ${run?.code ?? unsettled}, not ${kind.code}`;
    ledger.count(kind.promise, `ends: ${api}`, 1, isRight ? [] : [text]);
    world.forgetTrialJob(trialJob);
  }
}
