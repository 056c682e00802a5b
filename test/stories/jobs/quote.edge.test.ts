import { expect, test } from 'vitest';
import { edit, finish, perRun } from '../../../harness/script-steps.ts';
import { startInWorld } from '../../../harness/start-service.ts';
import { steps } from '../../../local/model/script.ts';
import { oneRun } from '../../support/worlds/correction.ts';
import { lookAt } from '../../support/worlds/scenario.ts';
import { createWorld } from '../../support/worlds/world.ts';

const instruction = 'Before the Zanzibar launch, say 100 requests.';
const followUp = 'Remember that Zanzibar is a secret.';
const script = () =>
  perRun([
    oneRun,
    steps([edit('index.md', 'Welcome.', 'Welcome!'), finish('Friendlier.', { subject: 'Welcome readers' })]),
  ]);

// Edge: what is quoted is decided by a function that has a table; here it is all that leaves for GitHub.
test.each<{ repository: string; isPublic: boolean; settings?: string; isQuoted: boolean }>([
  { repository: 'a public repository', isPublic: true, isQuoted: false },
  { repository: 'a private repository', isPublic: false, isQuoted: true },
  { repository: 'a public one with quote: always', isPublic: true, settings: 'quote: always\n', isQuoted: true },
  { repository: 'a private one with quote: never', isPublic: false, settings: 'quote: never\n', isQuoted: false },
])('promise 34: an instruction by API in $repository is quoted on GitHub: $isQuoted', async (given) => {
  const { isPublic, settings, isQuoted } = given;
  const files = {
    'index.md': '# Acme\n\nWelcome.\n',
    'limits.md': '# Limits\n\n60 requests per minute.\n',
    ...(settings && { '.github/pagewright.yml': settings }),
  };
  await using world = await createWorld({ script: script(), files, isPublic });
  await using service = await startInWorld(world);
  const { id } = await service.caller.create(instruction);
  await service.caller.settled(id);
  await service.caller.message(id, followUp);
  expect(await service.caller.settled(id)).toMatchObject({ status: 'completed' });

  const github = lookAt(world);
  const { title, body, head } = await github.pullRequest(1);
  const commits = await github.git('log', '--format=%B', `main..${head.ref}`);
  const comments = await github.comments(1);
  expect(`${body}`.includes('Zanzibar launch')).toBe(isQuoted);
  // Neither the names nor the history of the repository, whoever may read it.
  expect([title, head.ref, commits].join('\n')).not.toMatch(/zanzibar/i);
  if (!isQuoted) expect(JSON.stringify([body, comments])).not.toMatch(/zanzibar/i);
});
