import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { eventually } from '../../../harness/eventually.ts';
import { edit, finish, write } from '../../../harness/script-steps.ts';
import type { Rule } from '../../../local/github/rules/ruleset.ts';
import { steps } from '../../../local/model/script.ts';
import { correct, done, oneRun } from '../../support/worlds/correction.ts';
import { openWorkshop, type Workshop } from '../../support/worlds/workshop.ts';

let shop: Workshop;
beforeAll(async () => {
  shop = await openWorkshop();
});
afterAll(() => shop[Symbol.asyncDispose]());

const rule = (type: string, parameters: Record<string, unknown> = {}): Rule => ({ type, parameters });
const pattern = (type: string, operator: string, text: string) => rule(type, { operator, pattern: text });

const setRules = (rules: Rule[], options = {}) => shop.world.github.setRules(shop.name, 'pagewright/*', rules, options);
afterEach(() => setRules([]));

/** The rules are of every branch of the App: a branch gets its name when the run ends. One job at a time. */
async function createUnder(prompt: string, rules: Rule | Rule[], { canBypass = false, scripts = [oneRun] } = {}) {
  setRules([rules].flat(), { canBypass });
  return shop.create(prompt, scripts);
}

test.each<{ rules: Rule; why: string }>([
  { rules: rule('creation'), why: 'forbids creating it' },
  { rules: rule('update'), why: 'forbids updating it' },
  { rules: rule('pull_request'), why: 'allows changes to it only by pull request' },
  {
    rules: rule('required_status_checks', { required_status_checks: [{ context: 'build' }] }),
    why: 'requires checks to have passed',
  },
  { rules: pattern('branch_name_pattern', 'starts_with', 'docs/'), why: 'requires names that start with “docs/”' },
  {
    rules: pattern('commit_author_email_pattern', 'ends_with', '@acme.com'),
    why: 'requires author addresses that end with “@acme.com”',
  },
  { rules: pattern('committer_email_pattern', 'ends_with', '@acme.com'), why: 'the App’s is' },
])('a branch rule that no push can meet ends the run before any model request: $rules.type', async ({ rules, why }) => {
  const job = await createUnder(`Under ${rules.type}`, rules);
  expect(await job.settled()).toMatchObject({ status: 'failed', prLink: null });
  const [run] = await job.runs();
  expect(run).toMatchObject({ code: 'branch_rules', turns: 0 });
  expect(run?.sentence).toContain(why);
  expect(run?.sentence).toContain('Exempt pagewright/** from it, or let the App bypass it.');
  expect(job.asked()).toEqual([]);
});

test('the rules and the permissions are asked for while git fetches', async () => {
  const { github } = shop.world;
  const fetching = github.inject({ kind: 'hold-before', path: /git-upload-pack$/, times: 1 });
  const before = github.requests.length;
  const job = await shop.create('While it fetches', [oneRun]);
  const isAsked = (path: RegExp) => github.requests.slice(before).some((request) => path.test(request.path));
  await eventually(
    () => (fetching.hits() && isAsked(/\/rules\/branches\//) && isAsked(/\/installation$/)) || undefined,
  );
  fetching.release();
  expect(await job.settled()).toMatchObject({ status: 'completed' });
});

test('a rule that the App may bypass has no effect', async () => {
  const job = await createUnder('May bypass', [rule('update'), rule('creation')], { canBypass: true });
  expect(await job.settled()).toMatchObject({ status: 'completed' });
});

test('the tools refuse writes that a push rule forbids, and the rest is published', async () => {
  const rules = [
    rule('file_path_restriction', { restricted_file_paths: ['legal/**'] }),
    rule('file_extension_restriction', { restricted_file_extensions: ['.rst'] }),
    rule('max_file_path_length', { max_file_path_length: 20 }),
    rule('max_file_size', { max_file_size: 1 }),
  ];
  const long = `${'a'.repeat(21)}.md`;
  const job = await createUnder('Not everything may be pushed', rules, {
    scripts: [
      steps([
        write('legal/terms.md', 'Terms.\n'),
        write('notes.rst', 'Notes.\n'),
        write(long, 'Long.\n'),
        write('large.md', 'Too large. '.repeat(100_000)),
        correct,
        done,
      ]),
    ],
  });
  const { status, source } = await job.settled();
  expect(status).toBe('completed');
  expect(await shop.github.changedFiles(source.ref)).toEqual(['limits.md']);
  const told = job.asked().at(-1) ?? '';
  expect(told).toContain('forbids changing legal/terms.md');
  expect(told).toContain('forbids files that end with .rst');
  expect(told).toContain(`forbids paths longer than 20 characters, and ${long} has 24`);
  expect(told).toContain('forbids files larger than 1048576 bytes, and large.md would have 1100000');
});

test('a rule that only GitHub can evaluate fails the run with GitHub’s message, and the next run reads it', async () => {
  const job = await createUnder('Named by regex', pattern('branch_name_pattern', 'regex', '^docs/'), {
    scripts: [oneRun, oneRun],
  });
  expect(await job.settled()).toMatchObject({ status: 'failed', prLink: null });
  const [run] = await job.runs();
  expect(run?.code).toBe('push_refused');
  expect(run?.sentence).toContain('Branch name must match the pattern: ^docs/');
  expect(run?.sentence).toContain('exempt pagewright/** from it or let the App bypass it');
  expect(run?.effects).toEqual([expect.objectContaining({ key: `${run?.id}:push`, state: 'refused' })]);

  setRules([rule('creation')]);
  await job.message('Again.');
  await job.settled();
  expect((await job.runs())[1]).toMatchObject({ code: 'branch_rules', turns: 0 });
});

test('a lifted rule does not stop the next run', async () => {
  const job = await createUnder('Lifted soon', rule('creation'), { scripts: [oneRun, oneRun] });
  expect(await job.settled()).toMatchObject({ status: 'failed' });
  setRules([]);
  await job.message('Again.');
  expect(await job.settled()).toMatchObject({ status: 'completed' });
});

test('an installation without write permission ends the run before any model request, and the sentence says what to grant', async () => {
  const { github } = shop.world;
  github.setInstallationPermissions(shop.world.installationId, { contents: 'read', pull_requests: 'read' });
  const job = await shop.create('May not write', [oneRun]);
  await job.settled();
  expect(job.asked()).toEqual([]);
  const [run] = await job.runs();
  expect(run).toMatchObject({
    code: 'permission_missing',
    sentence:
      'The App’s installation on acme lacks contents=write, pull_requests=write. Grant it in the App’s settings, then accept it for the installation.',
  });
});

test('a follow-up is done and answered without the permission for issues', async () => {
  const { world } = shop;
  const granted = { contents: 'write', pull_requests: 'write' } as const;
  world.github.setInstallationPermissions(world.installationId, granted);
  const job = await shop.create('Without issues', [oneRun, steps([edit('index.md', '.', '!'), finish('Happier.')])]);
  const number = await job.number();
  await job.message('Happier, please.');
  expect(await job.settled()).toMatchObject({ status: 'completed' });
  expect(await shop.github.comments(number)).toHaveLength(1);
});

test('a branch named like our folder of branches ends the run before any model request', async () => {
  const there = await shop.createIn('folders');
  await there.github.git('branch', 'pagewright', 'main');
  const job = await there.create('Is in the way', [oneRun]);
  await job.settled();
  expect(job.asked()).toEqual([]);
  expect((await job.runs())[0]).toMatchObject({
    code: 'branch_in_the_way',
    sentence: expect.stringContaining('a branch named pagewright'),
  });
});

test.each([
  ['the API', 'GET', /\/rules\/branches\//],
  ['the token', 'POST', /\/access_tokens$/],
])(
  'an IP allow list that refuses %s ends the run before any model request, with GitHub’s words',
  async (what, method, path) => {
    const message =
      'Although you appear to have the correct authorization credentials, the `acme` organization has an IP allow list enabled, and your IP address is not permitted to access this resource.';
    const refusing = shop.world.github.inject({
      method,
      path,
      times: 9,
      kind: 'answer',
      status: 403,
      body: { message },
    });
    const job = await shop.create(`Refuses ${what}`, [oneRun]);
    await job.settled();
    refusing.remove();
    expect(job.asked()).toEqual([]);
    expect((await job.runs())[0]).toMatchObject({
      code: 'github_refused',
      sentence: expect.stringMatching(/IP allow list enabled.*Add the address of Pagewright’s server/),
    });
  },
);

test('an archived repository ends the run before any model request, and the sentence says what to do', async () => {
  shop.rita.archiveRepository(shop.name);
  const job = await shop.create('Is archived', [oneRun]);
  await job.settled();
  expect(job.asked()).toEqual([]);
  expect((await job.runs())[0]).toMatchObject({
    code: 'repository_archived',
    sentence: 'acme/docs is archived, so it cannot be changed. Make it active again, then send the instruction again.',
  });
});
