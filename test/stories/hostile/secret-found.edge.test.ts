import { expect, test } from 'vitest';
import { finish, write } from '../../../harness/script-steps.ts';
import { startInWorld } from '../../../harness/start-service.ts';
import { type ScriptRequest, type ScriptStep, steps } from '../../../local/model/script.ts';
import { sampleKeys } from '../../support/values/sample-keys.ts';
import { lookAt } from '../../support/worlds/scenario.ts';
import { createWorld } from '../../support/worlds/world.ts';

const key = sampleKeys['github token'];
const page = (token: string) => write('setup.md', `# Set up\n\nUse ${token}.\n`);
const done = finish('Says how to set it up.', { title: 'Set up', description: 'Says how.' });

async function play(
  script: (ScriptStep | ((request: ScriptRequest) => ScriptStep))[],
  prompt = 'Say how to set it up.',
) {
  const files = { 'index.md': `# Acme\n\nAn old token: ${sampleKeys['slack token']}.\n` };
  await using world = await createWorld({ files, script: steps(script) });
  await using service = await startInWorld(world);
  const { id } = await service.caller.create(prompt);
  const job = await service.caller.settled(id);
  const runs = await service.caller.runs(id);
  const github = lookAt(world);
  const branches = await github.git('for-each-ref', '--format=%(refname)');
  const changed = job.status === 'completed' ? await github.git('show', job.source.ref) : '';
  const pullRequest = job.status === 'completed' ? await github.pullRequest(1) : undefined;
  return { job, runs, branches, changed, pullRequest, log: service.lines.join('') };
}

test.concurrent('promise 35: a model that publishes a key twice ends secret_found, and nothing is pushed', async () => {
  const results: string[] = [];
  const { job, runs, branches, log } = await play([
    page(key),
    done,
    ({ lastResults }) => {
      results.push(...lastResults.map(({ output }) => output));
      return page(`${key}?`);
    },
    done,
  ]);
  expect(results).toEqual([expect.stringContaining('setup.md, line 3: a github token')]);
  expect(job.status).toBe('failed');
  expect(runs).toMatchObject({
    runs: [{ code: 'secret_found', sentence: expect.stringContaining('setup.md, line 3') }],
  });
  expect(branches).not.toContain('pagewright/');
  for (const text of [results.join(), JSON.stringify([job, runs]), log]) expect(text).not.toContain(key);
});

test.concurrent('promise 35: a model that removes the key when it is told publishes its page', async () => {
  const { job, changed } = await play([page(key), done, page('your token'), done]);
  expect(job.status).toBe('completed');
  expect(changed).toContain('Use your token.');
  expect(changed).not.toContain(key);
});

test.concurrent('promise 35: what the agent says holds no key, and what a person asked is shown without it', async () => {
  const talk = (text: string) => finish(`Sum ${text}`, { title: `Title ${text}`, description: `About ${text}` });
  const script = [page('your token'), talk(key), talk('it')];
  const { pullRequest, log } = await play(script, `Here is my token: ${key}. Say how to set it up.`);
  expect(pullRequest).toMatchObject({ title: 'Title it', body: expect.stringContaining('Here is my token: [secret]') });
  expect(JSON.stringify(pullRequest)).not.toContain(key);
  expect(log).not.toContain(key);
});

test.concurrent('a key that a page of the base shows is not new', async () => {
  const { job, changed } = await play([page(sampleKeys['slack token']), done]);
  expect(job.status).toBe('completed');
  expect(changed).toContain('Use xoxb-');
});
