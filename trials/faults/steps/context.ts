import { codeOf, limitOfCode } from '../kinds/reading-run.ts';
import type { Trial } from '../trial.ts';
import { around, killAt } from './kill-at.ts';

/** Projects that no round uses. */
const firstProject = 400;
const settingsPath = '.github/pagewright.yml';
/** Before the file is read. */
const points = around(['fetch context', 'ask model', 'store answer']);

const changes = [
  { what: 'its consent was withdrawn', isRead: false },
  { what: 'the App was uninstalled from it', isRead: false },
  { what: 'it was renamed', isRead: true },
];

/**
 * SIGKILL of the worker around each step until a file of a context repository is read; then people change the repository, and another worker
 * continues: it reads the file if both sides still agree, and the run opens one pull request.
 */
export async function tryContext({ world, rounds, ledger }: Trial): Promise<void> {
  await rounds.stop();
  const { database, github, model, rita } = world;
  const broken: string[] = [];
  for (const [nth, { point, what, isRead }] of changes
    .flatMap((change) => points.map((point) => ({ point, ...change })))
    .entries()) {
    const project = await world.project('plain', firstProject + nth);
    const { owner, name, fullName } = codeOf(project.fullName);
    const files = { 'src/limit.ts': limitOfCode, [settingsPath]: `documentation: ${project.fullName}\n` };
    await github.addRepository({ owner, name, files });
    const installation = github.install({ account: owner, repositories: 'all' });
    await rita.pushCommit(project.fullName, 'main', { [settingsPath]: `context: [${fullName}]\n` }, 'Read the code');
    const { doomed, begun: job } = await killAt(world, point, () => world.createJob(project, 'read the code'));
    if (what.includes('withdrawn')) await rita.pushCommit(fullName, 'main', { [settingsPath]: '' }, 'Withdraw it');
    else if (what.includes('uninstalled')) github.uninstall(installation);
    else rita.renameRepository(fullName, 'backend');
    const before = model.requests.length;
    await world.expireLeases(doomed);
    const heir = await world.spawnHeir(doomed, { CLAIMS: 'open', isSameDisk: nth % 2 === 0 });
    const about = `killed ${point}, ${what}`;
    await world.settled([job.jobId]).catch((error: Error) => broken.push(`${about}: ${error.message}`));
    await heir.kill('SIGTERM');
    const wasRead = model.requests.slice(before).some(({ body }) => JSON.stringify(body).includes(limitOfCode.trim()));
    if (wasRead !== isRead) broken.push(`${about}: its file was ${wasRead ? '' : 'not '}read`);
    const { warnings } = await database
      .selectFrom('runs')
      .select('warnings')
      .where('job_id', '=', job.jobId)
      .executeTakeFirstOrThrow();
    if (warnings.length > 0 === isRead) broken.push(`${about}: the run warns: ${warnings.join(' ') || 'nothing'}`);
    const opened = github.requests.filter(
      ({ method, path }) => method === 'POST' && path === `/repos/${project.fullName}/pulls`,
    );
    if (opened.length !== 1) broken.push(`${about}: ${opened.length} pull requests were asked for`);
    world.forgetTrialJob(job);
  }
  ledger.count(37, 'context', points.length * changes.length, broken);
}
