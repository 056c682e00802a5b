import { afterAll, beforeAll, expect, test } from 'vitest';
import { edit, finish, write } from '../../../harness/script-steps.ts';
import { steps } from '../../../local/model/script.ts';
import { createFindInstalledRepository } from '../../../src/cli/find-installed-repository.ts';
import { createGitHubApp } from '../../../src/github/auth/app.ts';
import { createKey } from '../../../src/keys/project-keys.ts';
import { findProject } from '../../../src/store/tables/repositories/projects.ts';
import { correct, done, oneRun } from '../../support/worlds/correction.ts';
import { openWorkshop, type Workshop } from '../../support/worlds/workshop.ts';

const path = '.github/pagewright.yml';

let shop: Workshop;

beforeAll(async () => {
  shop = await openWorkshop({
    files: {
      'index.md': '# Acme\n\nWelcome.\n',
      'limits.md': '# Limits\n\n60 requests per minute.\n',
      'AGENTS.md': 'Rules of the top.\n',
      '.pagewright/AGENTS.md': 'Rules for Pagewright alone.\n',
      'CLAUDE.md': 'See @parts/style.md.\n',
      'parts/style.md': 'Sentence case.\n',
      'CONTRIBUTING.md': 'Sign your commits.\n',
    },
    environment: { OPENAI_MODELS: 'gpt-test,gpt-other' },
  });
  const { rita, name, world } = shop;
  world.github.setPermission(name, 'cleo', 'write');
  world.github.addUser('stranger');
  await rita.pushCommit(name, 'release', { [path]: 'labels: [of-the-release]\n' }, 'A release');
});

afterAll(() => shop[Symbol.asyncDispose]());

/** Puts the settings on the default branch and waits until the service has heard of them. */
async function setSettings(text: string | null): Promise<void> {
  await shop.rita.pushCommit(shop.name, 'main', { [path]: text }, 'Set the settings');
  await shop.untilQuiet();
}

test('a job takes base, model and draft from the settings on the default branch, not from its base', async () => {
  await setSettings(`
base: release
model: gpt-other
draft: true
paths: [limits.md, guide/]
instructions: Write short sentences.
labels: [docs]
reviewers: [cleo, stranger, acme/writers, other/writers]
`);
  const job = await shop.create('All of the settings.', [
    steps([edit('index.md', 'Welcome.', 'Welcome!'), write('guide/new.md', '# New\n'), correct, done]),
  ]);
  const { source } = await job.settled();
  expect(await shop.caller.get(job.id)).toMatchObject({ status: 'completed' });
  const pullRequest = await shop.github.pullRequest(await job.number());
  expect(pullRequest).toMatchObject({ draft: true, base: { ref: 'release' } });
  expect(pullRequest.labels.map((label) => label.name)).toEqual(['docs']);
  expect(pullRequest.requested_reviewers?.map(({ login }) => login)).toEqual(['cleo']);

  const asked = job.asked();
  expect(asked).toHaveLength(4);
  for (const sent of asked) expect(sent).toContain('"model":"gpt-other"');
  expect(asked[0]).toContain(
    '<repository-instructions path=\\".pagewright/AGENTS.md\\">\\nRules for Pagewright alone.',
  );
  expect(asked[0]).toContain('<repository-instructions path=\\".github/pagewright.yml\\">\\nWrite short sentences.');
  expect(asked[0]).toContain('<repository-instructions path=\\"parts/style.md\\">\\nSentence case.');
  expect(asked[0]).toContain('Not quoted here; read what your task needs:\\n- CONTRIBUTING.md');
  expect(asked[0]).not.toContain('Rules of the top.');
  expect(asked[1]).toContain('index.md is outside the paths that this repository allows you to change');
  expect(await shop.github.git('diff', '--name-only', `release...${source.ref}`)).toBe('guide/new.md\nlimits.md');

  const [run] = await job.runs();
  expect(run?.warnings).toEqual([
    expect.stringMatching(/^Some reviewers could not be requested\. stranger: .*collaborator/),
    expect.stringMatching(/^The team acme\/writers could not be requested .*lacks members=read. Grant it/),
    expect.stringMatching(/^The team other\/writers could not be requested .*no such team/),
  ]);
  expect(pullRequest.body).toContain(
    'Files of the repository that the agent followed: `.github/pagewright.yml`, `CLAUDE.md`, `parts/style.md`, `.pagewright/AGENTS.md`.',
  );
  expect(pullRequest.body).not.toContain('[!WARNING]');
});

test('changed settings apply from the next run on, and the job keeps its model', async () => {
  await setSettings('model: gpt-other\npaths: [limits.md]\n');
  const cheer = edit('index.md', 'Welcome.', 'Welcome!');
  const job = await shop.create('Change the settings.', [
    steps([cheer, correct, done]),
    steps([cheer, finish('Happier.')]),
  ]);
  const { source } = await job.settled();
  expect(await shop.github.changedFiles(source.ref)).toEqual(['limits.md']);

  // Without a word of the webhook: the run itself looks.
  shop.world.github.deliveries.hold();
  await shop.rita.pushCommit(shop.name, 'main', { [path]: 'model: gpt-test\npaths: [index.md]\n' }, 'Other settings');
  await job.message('Happier, please.');
  await job.settled();
  expect(await shop.github.changedFiles(source.ref)).toEqual(['index.md', 'limits.md']);
  expect(job.asked().at(-1)).toContain('"model":"gpt-other"');
  shop.world.github.deliveries.release();
});

test('promise 5: while the settings have mistakes, the last ones without hold, and the pull request says so', async () => {
  await setSettings('labels: [docs]\npaths: [limits.md]\n');
  await (await shop.create('Before the mistake.', [oneRun])).settled();
  const sha = await shop.github.git('rev-parse', 'main');
  await setSettings('draft: true\nlabel: docs\n');
  const job = await shop.create('Wrong settings.', [steps([edit('index.md', 'Welcome.', 'Welcome!'), correct, done])]);
  const { source } = await job.settled();
  const pullRequest = await shop.github.pullRequest(await job.number());
  expect(pullRequest).toMatchObject({ draft: false, labels: [{ name: 'docs' }] });
  expect(await shop.github.git('diff', '--name-only', `main...${source.ref}`)).toBe('limits.md');
  expect(pullRequest.body).toContain('> [!WARNING]\n> The settings of this repository have mistakes:');
  expect(pullRequest.body).toContain('`label` is not a setting; did you mean `labels`? (line 2)');
  expect(pullRequest.body).toContain(
    'Files of the repository that the agent followed: `CLAUDE.md`, `parts/style.md`, `.pagewright/AGENTS.md`.',
  );
  const [run] = await job.runs();
  expect(run?.warnings).toEqual([
    `${path}: \`label\` is not a setting; did you mean \`labels\`? (line 2)`,
    `${path}: The settings of commit ${sha.slice(0, 7)} apply until this is fixed`,
  ]);
});

test('promise 5: a run with mistakes in the first settings fails before it asks the model', async () => {
  const { database } = shop.world.database;
  await setSettings('path: [limits.md]\n');
  await database
    .updateTable('projects')
    .set({ good_settings: null, good_settings_sha: null, settings: null })
    .execute();
  const job = await shop.create('Never good.', [oneRun]);
  expect(await job.settled()).toMatchObject({ status: 'failed' });
  expect(job.asked()).toEqual([]);
  expect(await job.runs()).toMatchObject([
    { code: 'settings_invalid', sentence: expect.stringContaining('did you mean `paths`? (line 1)') },
  ]);
  await setSettings('labels: [docs]\n');
});

test('a model that the service does not offer causes a warning, and the other settings apply', async () => {
  await setSettings('model: gpt-of-others\nlabels: [docs]\n');
  const job = await shop.create('An unknown model.', [oneRun]);
  await job.settled();
  const pullRequest = await shop.github.pullRequest(await job.number());
  expect(job.asked()[0]).toContain('"model":"gpt-test"');
  expect(pullRequest.labels.map((label) => label.name)).toEqual(['docs']);
  expect(pullRequest.body).toContain('`model` names gpt-of-others, which this service does not offer');
  expect(pullRequest.body).toContain('Files of the repository that the agent followed: `.github/pagewright.yml`');
});

test('a pull request is opened where the repository does not support drafts', async () => {
  await setSettings('draft: true\n');
  const refusal = shop.world.github.inject({
    kind: 'answer',
    method: 'POST',
    path: /\/pulls$/,
    status: 422,
    body: { message: 'Draft pull requests are not supported in this repository.' },
  });
  const job = await shop.create('No drafts here.', [oneRun]);
  expect(await job.settled()).toMatchObject({ status: 'completed' });
  expect(refusal.hits()).toBe(1);
  expect(await shop.github.pullRequest(await job.number())).toMatchObject({ draft: false });
});

test('creating a key reads the repository’s settings, so that they apply to the first job', async () => {
  const { world } = shop;
  const { database } = world.database;
  await setSettings('draft: true\nbase: release\n');
  await database.updateTable('projects').set({ settings: null }).execute();
  const { APP_ID: appId = '', PRIVATE_KEY: privateKey = '' } = world.environment;
  const { apiUrl, webUrl } = world.github;
  const github = createGitHubApp({ appId, privateKey, apiUrl, webUrl });
  const { signal } = new AbortController();
  const findInstalledRepository = createFindInstalledRepository({ github, appId, signal });
  const wanted = { owner: 'acme', repo: 'docs', name: 'second', expiresAt: null };
  const created = await createKey({ database, findInstalledRepository, ...wanted });
  const project = await findProject(database, created?.projectId ?? '');
  expect(project?.settings).toMatchObject({ draft: true, base: 'release' });
});
