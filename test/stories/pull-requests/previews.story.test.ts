import { afterAll, beforeAll, expect, test } from 'vitest';
import { edit, finish, write } from '../../../harness/script-steps.ts';
import { steps } from '../../../local/model/script.ts';
import { openWorkshop, type Workshop } from '../../support/worlds/workshop.ts';

let shop: Workshop;
beforeAll(async () => {
  shop = await openWorkshop();
});
afterAll(() => shop[Symbol.asyncDispose]());

const files = {
  'mkdocs.yml': 'site_name: Acme\nnav:\n  - index.md\n  - limits.md\n',
  'docs/index.md': '# Acme\n\nWelcome.\n',
  'docs/limits.md': '# Limits\n\n60 requests per minute.\n',
};
const script = steps([
  edit('docs/limits.md', '60 requests', '100 requests'),
  write('docs/guides/new.md', '# New\n'),
  edit('mkdocs.yml', '  - limits.md', '  - limits.md\n  - guides/new.md'),
  finish('The limit is 100.'),
]);
const again = steps([edit('docs/index.md', 'Welcome.', 'Welcome!'), finish('Happier.')]);

async function open(owner: string, settings?: string) {
  const there = await shop.createIn(owner, { ...files, ...(settings && { '.github/pagewright.yml': settings }) });
  const job = await there.create(`Raise the limit of ${owner}.`, [script, again]);
  const number = await job.number();
  const rita = there.world.github.asPerson('rita');
  const read = async () => {
    await shop.untilQuiet();
    return (await there.github.pullRequest(number)).body ?? '';
  };
  const sha = async () => (await there.github.pullRequest(number)).head.sha;
  const deploy = async (environmentUrl: string) =>
    rita.deploy(there.name, { sha: await sha(), ref: 'x', environment: 'Preview', state: 'success', environmentUrl });
  return { ...there, job, number, rita, read, sha, deploy };
}

test.concurrent('a deployment adds links to the changed pages, new ones first, and later ones update them in place', async () => {
  const { job, rita, read, sha, deploy, name, number, github } = await open('deployed');
  expect(await read()).not.toContain('## Preview');
  const built = {
    state: 'success',
    context: 'docs/readthedocs.org:app',
    targetUrl: 'https://pr-0.example.com',
  } as const;
  await rita.setStatus(name, { sha: await sha(), ...built });
  expect(await read()).toContain('(https://pr-0.example.com/limits)');
  await deploy('https://pr-1.docs.example.com');
  const body = await read();
  const links = [...body.matchAll(/^- \[`(\S+)`\]\((\S+)\)$/gm)].map(([, path, link]) => [path, link]);
  expect(links).toEqual([
    ['docs/guides/new.md', 'https://pr-1.docs.example.com/guides/new'],
    ['docs/limits.md', 'https://pr-1.docs.example.com/limits'],
  ]);
  await rita.setStatus(name, {
    sha: await sha(),
    state: 'success',
    context: 'app/deploy-preview',
    targetUrl: 'https://pr-2.example.com',
  });
  await deploy('javascript:alert(1)');
  expect(await read()).toBe(body);
  await job.message('Happier, please.');
  await job.untilRuns(2);
  await deploy('https://pr-3.docs.example.com');
  const later = await read();
  expect(later.match(/## Preview/g)).toHaveLength(1);
  expect(later).toContain('(https://pr-3.docs.example.com/)');
  expect(later).not.toContain('pr-1');
  expect(await github.comments(number)).toHaveLength(1);
  await rita.editPullRequest(name, number, {
    body: later.replace(/<!-- pagewright:preview:start[\s\S]*preview:end -->/, 'Mine.'),
  });
  await deploy('https://pr-4.docs.example.com');
  expect(await read()).not.toContain('pr-4');
});

test.concurrent('the settings say where a pull request can be seen, or that nobody wants to know', async () => {
  const there = await open('named', 'preview: https://deploy-{number}.example.com/manual\n');
  expect(await there.read()).toContain(`(https://deploy-${there.number}.example.com/manual/limits)`);
  await there.deploy('https://other.example.com');
  expect(await there.read()).not.toContain('other.example.com');
  const off = await open('unwanted', 'preview: off\n');
  await off.deploy('https://pr-1.example.com');
  expect(await off.read()).not.toContain('## Preview');
});
