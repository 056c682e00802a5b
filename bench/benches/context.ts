import { existsSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { call } from '../../harness/script-steps.ts';
import { type Script, steps } from '../../local/model/script.ts';
import { type Figure, formatMs } from '../figures/figure.ts';
import { formatMb, measureBytes, readFamilyMemory } from '../figures/process-figures.ts';
import { fillRepository, settingsPath } from '../world/fill-repository.ts';
import { type BenchWorld, openWorld } from '../world/open-world.ts';
import type { ProjectClient } from '../world/project-client.ts';

const cacheBytes = 400 * 1024 ** 2;
const files = { 'index.md': '# Acme\n' };

const shapes = [
  { owner: 'history', what: 'of history, a twentieth of it in its present files', keeps: false, share: 1 },
  // The stand-in for GitHub answers at most 1 GB at once.
  { owner: 'files', what: 'of present files', keeps: true, share: 0.3 },
];

/** What runs take that read a large context repository, which has 2,000 MB by default. Takes some minutes, and that much disk twice. */
export async function benchContext(megabytes = 2_000): Promise<Figure[]> {
  const askedAt = new Map<string, number>();
  const environment = { CACHE_MAX_BYTES: String(cacheBytes), WORKER_CONCURRENCY: '4' };
  await using world = await openWorld({ script: readCode(askedAt), files, environment });
  const small = await world.addProject('small');
  const figures: Figure[] = [];
  for (const { share, ...shape } of shapes)
    figures.push(...(await measureShape(world, { ...shape, megabytes: megabytes * share, small, askedAt })));
  const fresh = await world.addProject('fresh');
  await fresh.untilDone(await fresh.createJob('Look at fresh.'), 1);
  const bytes = await measureBytes(join(world.dataDir, 'mirrors'));
  const goal = { text: `≤ ${formatMb(cacheBytes)}`, isMet: bytes <= cacheBytes };
  return [...figures, { what: 'all mirrors, after the next first run of a project', measured: formatMb(bytes), goal }];
}

async function measureShape(
  world: BenchWorld,
  {
    owner,
    what,
    keeps,
    megabytes,
    small,
    askedAt,
  }: Omit<(typeof shapes)[number], 'share'> & { megabytes: number; small: ProjectClient; askedAt: Map<string, number> },
): Promise<Figure[]> {
  const settings = `context: [${owner}/api]\n`;
  const project = await world.addProject(owner, { ...files, [settingsPath]: settings });
  const { id, gitDirectory } = await world.github.addRepository({
    owner,
    name: 'api',
    kilobytes: megabytes * 1024,
    files: {},
  });
  await fillRepository(gitDirectory, { megabytes, keeps, documentation: `${owner}/docs` });
  const mirror = join(world.dataDir, 'mirrors', `${id}.git`);
  const run = async (client: ProjectClient, prompt: string) => {
    const startedAt = performance.now();
    const jobId = await client.createJob(prompt);
    await client.untilDone(jobId, 1);
    return (askedAt.get(prompt) ?? Number.NaN) - startedAt;
  };
  await using memory = watchMemory(world.pid);
  const first = run(project, `Read @${owner}/api.`);
  await delay(500);
  const besideMs = await run(small, `Look at ${owner}.`);
  const firstMs = await first;
  const againMs = await run(project, `Read @${owner}/api again.`);
  const isBlobless = existsSync(join(mirror, 'pagewright-blobless'));
  const bytes = await measureBytes(mirror);
  await rm(gitDirectory, { recursive: true });
  return [
    { what: `${megabytes} MB ${what}: until the first request to the model`, measured: formatMs(firstMs) },
    { what: '  in the next run', measured: formatMs(againMs) },
    { what: '  in a run of another project, meanwhile', measured: formatMs(besideMs) },
    { what: `  its mirror, ${isBlobless ? 'blobless' : 'whole'}`, measured: formatMb(bytes) },
    { what: '  memory of the service and its git, at most', measured: formatMb(memory.most()) },
  ];
}

/** Notes when the model was asked first, and reads a file of the repository that the prompt names. */
const readCode =
  (askedAt: Map<string, number>): Script =>
  (request) => {
    const [prompt = '', repository] =
      /(?:Look at \w+|Read (@\w+\/api)(?: again)?)\./.exec(request.messages.map(({ text }) => text).join('\n')) ?? [];
    if (request.turn === 0) askedAt.set(prompt, performance.now());
    else if (repository && !request.lastResults[0]?.output.includes('value7 = 7'))
      throw new Error(`${repository} was not read: ${request.lastResults[0]?.output}`);
    const end = call('finish', { summary: 'Nothing needs to change.' });
    if (repository === undefined) return end;
    return steps([call('read_file', { path: `${repository}/src/part-7/file-7.ts` }), end])(request);
  };

function watchMemory(pid: number) {
  let most = 0;
  let isOver = false;
  const watching = (async () => {
    while (!isOver) {
      most = Math.max(most, await readFamilyMemory(pid));
      await delay(200);
    }
  })();
  return {
    most: () => most,
    async [Symbol.asyncDispose]() {
      isOver = true;
      await watching;
    },
  };
}
