import { readdirSync, statSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { z } from 'zod';
import { steps } from '../../local/model/script.ts';
import { createCaller } from '../caller.ts';
import { openEmbeddedDatabase } from '../embedded-database.ts';
import { eventually } from '../eventually.ts';
import { findFreePort } from '../proxies/find-free-port.ts';
import { edit, finish } from '../script-steps.ts';
import { openWorld } from '../world.ts';
import { runContainer } from './run-container.ts';
import { runDockerfile } from './run-dockerfile.ts';

// Makes the image's root, runs the service in it as a container engine would, and lets it work on one job: npm run try-image [-- DIRECTORY]
const [, , given] = process.argv;
const root = given ?? (await mkdtemp(join(tmpdir(), 'pagewright-image-')));
const image = runDockerfile(root);
const script = steps([edit('limits.md', '60', '100'), finish('The limit is 100.', { title: 'Correct the limit' })]);
await using world = await openWorld({ script, openDatabase: openEmbeddedDatabase });
await world.addProject('acme', { 'limits.md': 'Up to 60 requests.\n' });
const { DATA_DIR: _, ...environment } = world.environment;
await using container = await runContainer(image, {
  cwd: join(world.directory, 'image'),
  // The image has its own folder, and its own database in it.
  environment: { ...environment, DATABASE_URL: '', HOST: '127.0.0.1', PORT: String(await findFreePort()) },
});
const { main, run, isHealthy } = container;
const url = await main.started(async () =>
  main.lines.map((line) => /"url":"(http:[^"]+)".*"msg":"pagewright is ready"/.exec(line)?.[1]).find(Boolean),
);
const health = [await isHealthy()];
const writable: string[] = [];
for (const folder of ['/data', '/tmp', '/var/tmp'])
  await run('touch', `${folder}/x`).then(
    () => writable.push(folder),
    () => {},
  );
const created = await run('pagewright', 'keys', 'create', 'acme/docs', '--name', 'image', '--json');
const project = z.object({ projectId: z.string(), key: z.string() }).parse(JSON.parse(created));
const caller = createCaller({ url, project });
const { id } = await caller.create('Make it 100.');
const { status, prLink } = await caller.settled(id);
console.log(await run('pagewright', 'doctor'));
// A service that answers nothing is not healthy.
main.signal('SIGSTOP');
health.push(await isHealthy());
main.signal('SIGCONT');
const owners = new Set(
  readdirSync(join(root, image.volume)).map((name) => statSync(join(root, image.volume, name)).uid),
);
main.child.kill('SIGTERM');
await eventually(() => main.hasEnded() || undefined, { what: 'the service stops', withinMs: 30_000 });
const { exitCode } = main.child;
console.log({ status, prLink, files: [...owners], writable, health, exitCode });
const isAsPromised =
  status === 'completed' && exitCode === 0 && writable.join() === '/data,/tmp' && health.join() === 'true,false';
process.exitCode = isAsPromised ? 0 : 1;
// What failed is looked at.
if (isAsPromised && given === undefined) await rm(root, { recursive: true });
