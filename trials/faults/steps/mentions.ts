import { eventually } from '../../../harness/eventually.ts';
import { instruct } from '../kinds/kinds.ts';
import type { Trial } from '../trial.ts';
import { around, killAt } from './kill-at.ts';

/** A project that no round uses. */
const projectNumber = 352;
const points = around(['process delivery', 'give answer', 'record given answer']);

/**
 * SIGKILL of the worker right before and after each step between a mention on an issue and the comment that answers it: each mention starts
 * one job, and gets one pair of eyes and one comment.
 */
export async function tryMentions({ world, rounds, ledger }: Trial): Promise<void> {
  await rounds.stop();
  const { database, rita } = world;
  const project = await world.project('plain', projectNumber);
  const { fullName, projectId } = project;
  const first = await world.spawnWorker({ CLAIMS: 'open' });
  const stored = database.selectFrom('deliveries').select('delivery_id').where('state', '=', 'stored');
  const untilProcessed = () =>
    eventually(async () => (await stored.execute()).length === 0 || undefined, { what: 'no delivery waits' });
  await untilProcessed();
  await first.kill('SIGTERM');
  const broken: string[] = [];
  for (const point of points) {
    const issue = rita.openIssue(fullName, { title: point, body: '' });
    const { begun: asked } = await killAt(world, point, async () =>
      rita.comment(fullName, issue.number, `@pagewright-test ${instruct('nothing to change', project)}`),
    );
    const heir = await world.spawnWorker({ CLAIMS: 'open' });
    const listJobs = () =>
      database
        .selectFrom('jobs')
        .select('status')
        .where('project_id', '=', projectId)
        .where('asked_on', '=', issue.number)
        .execute();
    const pending = database
      .selectFrom('effects')
      .innerJoin('jobs', 'jobs.job_id', 'effects.job_id')
      .select('key')
      .where('project_id', '=', projectId)
      .where('state', '=', 'intended');
    await eventually(
      async () =>
        (issue.comments.length > 1 &&
          (await pending.execute()).length === 0 &&
          (await listJobs()).every(({ status }) => status !== 'active')) ||
        undefined,
      { what: `the issue has its answer after a death ${point}`, withinMs: 120_000 },
    ).catch((error: Error) => broken.push(error.message));
    await untilProcessed();
    await heir.kill('SIGTERM');
    const [jobs, answers, eyes] = [(await listJobs()).length, issue.comments.length - 1, asked.reactions.length];
    if (jobs !== 1 || answers !== 1 || eyes !== 1)
      broken.push(`killed ${point}, a mention has ${jobs} jobs, ${answers} comments and ${eyes} reactions`);
  }
  ledger.count(11, 'mentions', points.length, broken);
}
