import { z } from 'zod';
import type { Tokens } from '../../src/config/prices.ts';
import type { Database } from '../../src/store/postgres/database.ts';
import { listRuns } from '../../src/store/tables/jobs/runs.ts';
import { listTurns } from '../../src/store/tables/jobs/turns.ts';

const answered = z.object({
  usage: z.object({ tokensIn: z.number(), tokensCached: z.number(), tokensOut: z.number() }),
});

export interface Figures extends Tokens {
  turns: number;
  lastInput: number;
}

/** The tokens of all turns of a job, as the model server counted them, or as they were estimated where it does not count. */
export async function measure(database: Database, jobId: string): Promise<Figures> {
  const figures: Figures = { turns: 0, tokensIn: 0, tokensCached: 0, tokensOut: 0, lastInput: 0 };
  for (const { run_id: runId } of await listRuns(database, jobId)) {
    for (const { answer } of await listTurns(database, runId)) {
      const usage = answered.safeParse(answer).data?.usage;
      figures.turns += 1;
      if (!usage) continue;
      figures.tokensIn += usage.tokensIn;
      figures.tokensCached += usage.tokensCached;
      figures.tokensOut += usage.tokensOut;
      figures.lastInput = usage.tokensIn;
    }
  }
  return figures;
}
