import type { LocalGitHub } from '../../local/github/start-github.ts';
import { firstRun } from '../kinds.ts';
import type { Trial } from '../trial.ts';
import { isWrite } from '../writes.ts';

const retryAfter = 3;
/** What the bucket lets through at once. */
const burst = 6;
/** So many more may come in a window: those that were let through before it and were slow to arrive. */
const onTheirWay = 2;

/** GitHub refuses a request of one installation for some seconds, with two workers at it: none comes early, and others go on. */
export async function tryLimits({ world, rounds, ledger }: Trial, { times }: { times: number }): Promise<void> {
  await rounds.stop();
  const workers = [
    await world.spawnWorker({ CLAIMS: 'open' }),
    await world.spawnWorker({ CLAIMS: 'open', machine: 'b' }),
  ];
  for (let time = 0; time < times; time += 1) {
    const site = await world.site('plain', 100 + time);
    const other = await world.site('plain', 150 + time);
    const path = new RegExp(`^/repos/${site.fullName}/`);
    const fault = world.github.inject({ path, kind: 'secondary-limit', retryAfter });
    const stages = await Promise.all([site, site, site].map((one) => world.createJob(one, firstRun.name)));
    const free = await world.createJob(other, firstRun.name);
    await world.settled([free.jobId]);
    await world.settled(stages.map(({ jobId }) => jobId));
    const own = world.github.requests.filter((request) => isOf(request, site));
    const refusedAt = own.find(({ status }) => status === 403)?.at.getTime() ?? 0;
    const early = own.filter(({ at }) => at.getTime() > refusedAt + 50 && at.getTime() < refusedAt + retryAfter * 1000);
    const broken = early.map(({ method, path: there }) => `${method} ${there} came before the limit had ended`);
    if (fault.hits() !== 1) broken.push('the limit was never met');
    ledger.count(21, 'limits', own.length, broken);
    world.forgetStage(free);
    for (const stage of stages) world.forgetStage(stage);
  }
  for (const worker of workers) await worker.kill('SIGTERM');
}

/** Holds all that was ever written against the bucket: no more at once than it holds, then one a second. */
export function countWrites({ world, ledger }: Trial): void {
  const writes = world.github.requests.filter(
    (request) => isWrite(request) && request.api !== 'git' && request.tokenInfo.kind === 'installation',
  );
  const byInstallation = Map.groupBy(writes, ({ tokenInfo }) =>
    tokenInfo.kind === 'installation' ? tokenInfo.installationId : 0,
  );
  // Of fewer, all may come at once.
  const crowded = [...byInstallation].filter(([, list]) => list.length > burst);
  const broken = crowded.flatMap(([installationId, list]) => {
    const times = list.map(({ at }) => at.getTime());
    const crowds = times.flatMap((from, index) =>
      times.slice(index).map((to, more) => ({ count: more + 1, seconds: (to - from) / 1000 })),
    );
    const tooMany = crowds.find(({ count, seconds }) => count > burst + seconds + onTheirWay);
    return tooMany
      ? [`${tooMany.count} writes of installation ${installationId} within ${tooMany.seconds} seconds`]
      : [];
  });
  const tries = crowded.reduce((sum, [, list]) => sum + list.length - burst, 0);
  ledger.count(21, 'writes', tries, broken);
}

const isOf = (
  { path, tokenInfo }: LocalGitHub['requests'][number],
  site: { fullName: string; installationId: number },
): boolean =>
  path.includes(`/${site.fullName}.git/`) ||
  path === `/app/installations/${site.installationId}/access_tokens` ||
  (tokenInfo.kind === 'installation' &&
    tokenInfo.installationId === site.installationId &&
    !path.startsWith('/installation/token'));
