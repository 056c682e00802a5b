import { eventually } from '../../harness/eventually.ts';
import { instruct } from './kinds/kinds.ts';
import type { Trial } from './trial.ts';

/** A project that no round uses. */
const projectNumber = 350;
const points = ['process delivery', 'take up'].flatMap((step) => [`before ${step}`, `after ${step}`]);

/** SIGKILL of the worker right before and after each step between a merge and its job: each merge is taken up once, and no run says anything. */
export async function tryAutomations({ world, rounds, ledger }: Trial): Promise<void> {
  await rounds.stop();
  const { database, github, rita } = world;
  const project = await world.project('plain', projectNumber);
  const { fullName, projectId } = project;
  const prompt = instruct('nothing to change', project);
  const settings = `automations:\n  follow:\n    on: {merged: ${fullName}}\n    prompt: ${JSON.stringify(prompt)}\n`;
  const first = await world.spawnWorker({ CLAIMS: 'open' });
  await rita.pushCommit(fullName, 'main', { '.github/pagewright.yml': settings }, 'Follow the code');
  const automation = database.selectFrom('automations').select('name').where('project_id', '=', projectId);
  await eventually(async () => (await automation.execute()).length > 0 || undefined, {
    what: 'the automation is known',
  });
  await first.kill('SIGTERM');

  const merged: number[] = [];
  for (const [nth, point] of points.entries()) {
    const doomed = await world.spawnWorker({ CLAIMS: 'open', DIE_AT: point });
    await rita.pushCommit(fullName, `change-${nth}`, { [`change-${nth}.ts`]: 'export {};\n' }, `Change ${nth}`);
    const opened = await rita.openPullRequest(fullName, {
      title: `Change ${nth}`,
      head: `change-${nth}`,
      base: 'main',
    });
    await rita.mergePullRequest(fullName, opened.number);
    merged.push(opened.number);
    await eventually(() => doomed.hasEnded() || undefined, { what: `the worker dies ${point}`, withinMs: 60_000 });
    const heir = await world.spawnWorker({ CLAIMS: 'open' });
    await eventually(async () => (await listTaken()).includes(opened.number) || undefined, {
      what: `the merge is taken up after a death ${point}`,
      withinMs: 120_000,
    }).catch(() => undefined);
    await heir.kill('SIGTERM');
  }
  await github.deliveries.settled();
  const taken = await listTaken();
  const wrong = merged.flatMap((number, index) => {
    const times = taken.filter((each) => each === number).length;
    return times === 1 ? [] : [`killed ${points[index]}, a merge was taken up ${times} times`];
  });
  ledger.count(38, 'automations', points.length, wrong);

  const last = await world.spawnWorker({ CLAIMS: 'open' });
  const active = database.selectFrom('jobs').select('job_id').where('project_id', '=', projectId);
  await eventually(async () => (await active.where('status', '=', 'active').execute()).length === 0 || undefined, {
    what: 'no run of the automation is left',
    withinMs: 120_000,
  });
  await last.kill('SIGTERM');
  // None of the runs had anything to document. People do not write by the API here.
  const said = github.requests
    .filter(({ method, path }) => method !== 'GET' && path.startsWith(`/repos/${fullName}/`))
    .map(({ method, path }) => `with nothing to document, it asked for ${method} ${path}`);
  ledger.count(39, 'automations', points.length, said);

  /** The numbers of the pull requests in all messages of the project. */
  async function listTaken(): Promise<number[]> {
    const messages = await database
      .selectFrom('messages')
      .innerJoin('jobs', 'jobs.job_id', 'messages.job_id')
      .select('context')
      .where('project_id', '=', projectId)
      .execute();
    return messages.flatMap(({ context }) => (context?.occasions ?? []).flatMap(({ number }) => number ?? []));
  }
}
