import { execFile } from 'node:child_process';
import { readdirSync, statSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { z } from 'zod';
import { steps } from '../../local/model/script.ts';
import { createCaller } from '../caller.ts';
import { openEmbeddedDatabase } from '../embedded-database.ts';
import { eventually } from '../eventually.ts';
import { spawnProcess } from '../processes/spawn-process.ts';
import { edit, finish } from '../script-steps.ts';
import { openWorld } from '../world.ts';
import { runDockerfile } from './run-dockerfile.ts';

// Makes the image's root, starts the service there as its user, and lets it work on one job: npm run try-image [-- DIRECTORY]
const root = process.argv[2] ?? (await mkdtemp(join(tmpdir(), 'pagewright-image-')));
const image = runDockerfile(root);
const script = steps([edit('limits.md', '60', '100'), finish('The limit is 100.', { title: 'Correct the limit' })]);
await using world = await openWorld({ script, openDatabase: openEmbeddedDatabase });
await world.addProject('acme', { 'limits.md': 'Up to 60 requests.\n' });
// The image has its own folder, and its own database in it.
const environment = { ...world.environment, ...image.environment, DATABASE_URL: '', HOST: '127.0.0.1', PORT: '0' };
await using service = await spawnProcess({
  command: image.command('pagewright', 'start'),
  cwd: join(world.directory, 'image'),
  environment,
});
const url = await service.started(async () =>
  service.lines.map((line) => /"url":"(http:[^"]+)".*"msg":"pagewright is ready"/.exec(line)?.[1]).find(Boolean),
);
const pagewright = async (...args: string[]) => {
  const [program, ...rest] = image.command('pagewright', ...args);
  return (await promisify(execFile)(program, rest, { env: environment })).stdout;
};
const project = z
  .object({ projectId: z.string(), key: z.string() })
  .parse(JSON.parse(await pagewright('keys', 'create', 'acme/docs', '--name', 'image', '--json')));
const caller = createCaller({ url, project });
const { id } = await caller.create('Make it 100.');
const { status, prLink } = await caller.settled(id);
console.log(await pagewright('doctor'));
const owners = new Set(readdirSync(join(root, 'data')).map((name) => statSync(join(root, 'data', name)).uid));
service.child.kill('SIGTERM');
await eventually(() => service.hasEnded() || undefined, { what: 'the service stops', withinMs: 30_000 });
console.log({ status, prLink, files: [...owners], exitCode: service.child.exitCode });
process.exitCode = status === 'completed' && service.child.exitCode === 0 ? 0 : 1;
