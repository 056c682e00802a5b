import { execFile } from 'node:child_process';
import { copyFileSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { generateTypes } from '../../client/generate-types.ts';
import { oneRun } from '../../support/worlds/correction.ts';
import { openServedWorld } from '../../support/worlds/served-world.ts';

const run = promisify(execFile);

/** Returns what the compiler finds wrong with the program. */
async function findMistakes(directory: string): Promise<string> {
  const config = {
    extends: resolve('tsconfig.json'),
    include: ['*.ts'],
    exclude: [],
    compilerOptions: { incremental: false },
  };
  writeFileSync(join(directory, 'tsconfig.json'), JSON.stringify(config));
  const checking = run(resolve('node_modules/.bin/tsc'), [
    '--project',
    directory,
    '--pretty',
    'false',
    '--tsBuildInfoFile',
    'null',
  ]);
  return checking.then(
    () => '',
    (error: { stdout: string }) => error.stdout,
  );
}

const usedShape = z.object({
  useApi: z.custom<(project: object) => Promise<unknown>>((value) => typeof value === 'function'),
});

test('a typed client that is generated from the description does everything that a caller does', async () => {
  await using made = await openServedWorld();
  made.choices.push({ when: 'Make it 100.', script: oneRun });
  const { directory, projectId, key } = made.world;
  const document = await (await fetch(`${made.service.url}/openapi.json`)).text();
  writeFileSync(join(directory, 'schema.ts'), await generateTypes(document));
  writeFileSync(join(directory, 'package.json'), '{"type": "module"}');
  symlinkSync(resolve('node_modules'), join(directory, 'node_modules'));
  const program = join(directory, 'use-api.ts');
  copyFileSync('test/http/api/client/use-api.ts', program);
  expect(await findMistakes(directory)).toBe('');

  const { useApi } = usedShape.parse(await import(/* @vite-ignore */ pathToFileURL(program).href));
  const used = await useApi({ url: made.service.url, projectId, key });
  expect(used).toMatchObject({
    job: { status: 'completed' },
    listed: [expect.stringMatching(/^job_/)],
    answers: ['The limit is 100 now.'],
    codes: ['published'],
    tools: expect.arrayContaining(['edit_file', 'finish']),
    types: expect.arrayContaining(['job.created', 'run.ended', 'job.completed']),
    changed: ['limits.md'],
    text: expect.stringContaining('+100 requests per minute.'),
    archived: 'archived',
    refusedBy: 'urn:pagewright:problem:job-archived',
    back: 'completed',
  });

  writeFileSync(program, readFileSync(program, 'utf8').replaceAll('answer }', 'reply }'));
  expect(await findMistakes(directory)).toContain("Property 'reply' does not exist");
});
