import { sql } from 'kysely';
import { eventually } from '../../../harness/eventually.ts';
import { instruct } from '../kinds/kinds.ts';
import type { Trial } from '../trial.ts';
import { around } from './kill-at.ts';

/** A project that no round uses. */
const projectNumber = 350;
const mergePoints = around(['process delivery', 'take up']);
/** The queue gives up the sweep of a dead worker after two minutes, so these come last. */
const schedulePoints = around(['note time', 'take up', 'send due automations']);

/**
 * SIGKILL of the worker right before and after each step between a merge, or a time of a schedule, and its job: each is taken up once, and no
 * run says anything.
 */
export async function tryAutomations({ world, rounds, ledger }: Trial): Promise<void> {
  await rounds.stop();
  const { database, github, rita } = world;
  const project = await world.project('plain', projectNumber);
  const { fullName, projectId } = project;
  const prompt = JSON.stringify(instruct('nothing to change', project));
  const settings = `automations:
  follow:
    on: {merged: ${fullName}}
    prompt: ${prompt}
  yearly:
    on: {schedule: '0 0 1 1 *'}
    prompt: ${prompt}
`;
  const first = await world.spawnWorker({ CLAIMS: 'open' });
  await rita.pushCommit(fullName, 'main', { '.github/pagewright.yml': settings }, 'Follow the code');
  const automation = database.selectFrom('automations').select('name').where('project_id', '=', projectId);
  await eventually(async () => (await automation.execute()).length > 0 || undefined, {
    what: 'the automation is known',
  });
  await first.kill('SIGTERM');

  const broken: string[] = [];
  for (const [nth, point] of mergePoints.entries())
    await tryPoint(point, { what: 'a merge', isDueBefore: false }, async () => {
      const head = `change-${nth}`;
      await rita.pushCommit(fullName, head, { [`${head}.ts`]: 'export {};\n' }, `Change ${nth}`);
      const { number } = await rita.openPullRequest(fullName, { title: head, head, base: 'main' });
      await rita.mergePullRequest(fullName, number);
      return `${fullName}#${number}`;
    });
  for (const point of schedulePoints)
    await tryPoint(point, { what: 'a time of a schedule', isDueBefore: true }, async () => {
      const { rows } = await sql<{ at: Date }>`update automations set scheduled_at = date_trunc('second', now())
        where project_id = ${projectId} and name = 'yearly' returning scheduled_at as at`.execute(database);
      return rows[0]?.at.toISOString() ?? '';
    });
  await github.deliveries.settled();
  const last = await world.spawnWorker({ CLAIMS: 'open' });
  const active = database.selectFrom('jobs').select('job_id').where('project_id', '=', projectId);
  await eventually(async () => (await active.where('status', '=', 'active').execute()).length === 0 || undefined, {
    what: 'no run of the automations is left',
    withinMs: 120_000,
  });
  await last.kill('SIGTERM');
  const taken = await listTaken();
  const twice = taken.filter((each, index) => taken.indexOf(each) !== index);
  broken.push(...twice.map((each) => `${each} was taken up more than once`));
  ledger.count(38, 'automations', mergePoints.length + schedulePoints.length, broken);

  // None of the runs had anything to document. People do not write by the API here.
  const said = github.requests
    .filter(({ method, path }) => method !== 'GET' && path.startsWith(`/repos/${fullName}/`))
    .map(({ method, path }) => `with nothing to document, it asked for ${method} ${path}`);
  ledger.count(39, 'automations', mergePoints.length + schedulePoints.length, said);

  /** A start finds what is due, so the worker may die before it is ready. */
  async function tryPoint(
    point: string,
    { what, isDueBefore }: { what: string; isDueBefore: boolean },
    happen: () => Promise<string>,
  ): Promise<void> {
    const due = isDueBefore ? await happen() : undefined;
    const doomed = await world.spawnWorker({ CLAIMS: 'open', DIE_AT: point }).catch((error: Error) => {
      if (!isDueBefore || !String(error.cause).includes('SIGKILL')) throw error;
    });
    const occasion = due ?? (await happen());
    if (doomed)
      await eventually(() => doomed.hasEnded() || undefined, { what: `the worker dies ${point}`, withinMs: 240_000 });
    const heir = await world.spawnWorker({ CLAIMS: 'open' });
    await eventually(async () => (await listTaken()).includes(occasion) || undefined, {
      what: `${what} is taken up after a death ${point}`,
      withinMs: 240_000,
    }).catch((error: Error) => broken.push(error.message));
    await heir.kill('SIGTERM');
  }

  /** What the messages of the project take up. */
  async function listTaken(): Promise<string[]> {
    const messages = await database
      .selectFrom('messages')
      .innerJoin('jobs', 'jobs.job_id', 'messages.job_id')
      .select('context')
      .where('project_id', '=', projectId)
      .execute();
    return messages.flatMap(({ context }) =>
      (context?.occasions ?? []).map(({ kind, repository, number, title }) =>
        kind === 'pull_request' ? `${repository}#${number}` : (title ?? ''),
      ),
    );
  }
}
