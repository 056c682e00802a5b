import { eventually } from '../../../harness/eventually.ts';
import { instruct } from '../kinds/kinds.ts';
import type { Trial } from '../trial.ts';
import { around, killAt } from './kill-at.ts';

/** A project that no round uses. */
const projectNumber = 351;
const points = around(['process delivery', 'check pull request', 'record pull request check']);

/** SIGKILL of the worker right before and after each step of a check of a pull request: each head gets one check run, and it ends. */
export async function tryChecks({ world, rounds, ledger }: Trial): Promise<void> {
  await rounds.stop();
  const { database, rita } = world;
  const project = await world.project('plain', projectNumber);
  const { fullName, projectId } = project;
  const first = await world.spawnWorker({ CLAIMS: 'open' });
  await rita.pushCommit(fullName, 'main', { '.github/pagewright.yml': 'checks: advise\n' }, 'Check');
  const settings = database.selectFrom('projects').select('settings').where('project_id', '=', projectId);
  await eventually(async () => JSON.stringify(await settings.execute()).includes('advise') || undefined, {
    what: 'the settings are read',
  });
  await first.kill('SIGTERM');

  const broken: string[] = [];
  for (const [nth, point] of points.entries()) {
    const head = `checked-${nth}`;
    const { begun: sha } = await killAt(world, point, async () => {
      const page = { [`${head}.md`]: `# ${instruct('check', project)}\n` };
      const pushed = await rita.pushCommit(fullName, head, page, head);
      await rita.openPullRequest(fullName, { title: head, head, base: 'main' });
      return pushed;
    });
    const heir = await world.spawnWorker({ CLAIMS: 'open' });
    const ours = () => rita.listChecks(fullName).filter(({ headSha }) => headSha === sha);
    const rows = database.selectFrom('pull_request_checks').select('state').where('sha', '=', sha);
    await eventually(async () => (await rows.execute()).some(({ state }) => state === 'done') || undefined, {
      what: `the head is checked after a death ${point}`,
      withinMs: 120_000,
    }).catch((error: Error) => broken.push(error.message));
    await heir.kill('SIGTERM');
    const states = ours().map(({ status }) => status);
    if (states.length !== 1 || states[0] !== 'completed')
      broken.push(`killed ${point}, a head has ${states.length} check runs: ${states.join(', ')}`);
  }
  ledger.count(11, 'checks', points.length, broken);
}
