import { afterAll, expect, test } from 'vitest';
import { launchBrowser } from '../../../harness/browser/launch-browser.ts';
import { signIn } from '../../../harness/browser/sign-in.ts';
import { eventually } from '../../../harness/eventually.ts';
import { finish } from '../../../harness/script-steps.ts';
import { steps } from '../../../local/model/script.ts';
import { createProjectKey } from '../../../src/keys/project-keys.ts';
import { openServedWorld } from '../../support/worlds/served-world.ts';

const tags = `</textarea></title></code></pre></details><script>alert(1)</script><img src=x onerror=alert(2)><svg onload=alert(3)><iframe srcdoc="<script>alert(4)</script>"></iframe><base href="https://evil.example/">`;
const attribute = `" autofocus onfocus="alert(5)" x='`;
const long = 'W'.repeat(400);
const attack = `${tags}${attribute}${long}`;
const line = attack.replaceAll('\n', ' ');
const urls = ['javascript:alert(6)', 'data:text/html,<script>alert(7)</script>', '//evil.example/x.png'];
const markdown = `${attack}\n\n${urls.map((url) => `[a](${url}) ![b](${url})`).join('\n')}\n\n| ${line} | b |\n| - | - |\n| c | d |`;

/** The pages were there before: the tools refuse an agent that writes such a text. */
const pages: Record<string, string> = {
  'evil.md': `---\ntitle: '${tags.replaceAll("'", '')}'\n---\n\nOne.\n\n${markdown}\n`,
  'evil.mdx': `One.\n\n<Note title="${tags.replaceAll('"', "'")}" onClick={alert(8)}>\n${line}\n</Note>\n\n{alert(9)}\n\n${markdown}\n`,
  'evil.rst': `One.\n\n${line}\n${'='.repeat(20)}\n\n.. raw:: html\n\n   ${line}\n\n.. image:: ${urls[0]}\n\n\`a <${urls[0]}>\`_ \`\`${tags}\`\`\n`,
  'evil.adoc': `One.\n\n= ${line}\n\n++++\n${line}\n++++\n\nimage::${urls[2]}[${line}]\n\nlink:${urls[0]}[a] pass:[${tags}]\n`,
};
const branch = `a"><img/src=x/onerror=alert(10)>`;
const odd = `a"onclick=alert(11) b='<img src=x>${'w'.repeat(120)}.md`;
const settings = `instructions: ${JSON.stringify(attack)}\nlabels: [${JSON.stringify(line.slice(0, 50))}]\nautomations:\n  evil:\n    on: {label: ${JSON.stringify(line.slice(0, 50))}}\n    prompt: ${JSON.stringify(attack)}\n`;

const complaints: string[] = [];

const files = { 'index.md': '# Home\n', '.github/pagewright.yml': settings, ...pages };
const [served, browser] = await Promise.all([
  openServedWorld({ files, environment: { OPERATORS: 'rita' } }),
  launchBrowser(),
]);
const { world, caller, choices, rita, name } = served;
world.github.setPermission(name, 'rita', 'maintain');
await rita.pushCommit(name, branch, { 'index.md': '# Home of a branch\n' }, line);
const edits = Object.keys(pages).map((path) => ({
  name: 'edit_file',
  arguments: { path, old_text: 'One.', new_text: 'Two.' },
}));
choices.push({
  when: 'Attack',
  script: steps([
    { text: markdown, calls: [...edits, { name: 'write_file', arguments: { path: odd, content: 'Odd.\n' } }] },
    { text: attack, calls: [{ name: `read_${attribute}`, arguments: { path: tags } }] },
    finish(markdown, { title: line.slice(0, 200) }),
    finish(markdown, { title: line.slice(0, 200) }),
  ]),
});
const { id } = await caller.create(`Attack. ${attack}`);
await caller.settled(id);
const job = `/projects/${world.projectId}/jobs/${id}`;
const { database } = world.database;
const pushed = await database.selectFrom('runs').select('commit_sha').executeTakeFirstOrThrow();
rita.report(name, { name: line.slice(0, 200), headSha: pushed.commit_sha ?? '', conclusion: 'failure' });
// It answers the failing check, so that its page is of one moment.
const countRuns = () => database.selectFrom('runs').select('run_id').where('job_id', '=', id).execute();
await eventually(async () => (await countRuns()).length > 1 || undefined);
await caller.settled(id);
choices.push({
  when: 'Go on',
  script: ({ turn }) =>
    turn === 0
      ? { text: attack, calls: [{ name: 'read_file', arguments: { path: odd } }] }
      : { fault: { kind: 'hang' as const } },
});
const live = (await caller.create('Go on.')).id;
await createProjectKey(database, { projectId: world.projectId, name: line.slice(0, 100), expiresAt: null });
const context = await browser.newContext();
const page = await context.newPage();
page.on('dialog', (dialog) => {
  complaints.push(`${page.url()} ran ${dialog.message()}`);
  void dialog.dismiss();
});
page.on('pageerror', ({ message }) => complaints.push(`${page.url()} failed: ${message}`));
page.on('console', (message) => message.type() === 'error' && complaints.push(`${page.url()}: ${message.text()}`));
page.on('request', (request) => {
  if (new URL(request.url()).origin !== served.service.url) complaints.push(`${page.url()} asked ${request.url()}`);
});
await signIn(page, served.service.url);
complaints.length = 0;
afterAll(async () => {
  await browser.close();
  await served[Symbol.asyncDispose]();
});

test('a job whose texts are all attacks is changed as asked, so that its pages hold them', async () => {
  await page.goto(`${served.service.url}${job}`);
  await page.getByText('Ready for review', { exact: true }).waitFor();
  for (const path of [...Object.keys(pages), odd])
    expect(await page.getByRole('region', { name: `Lines of ${path}`, exact: true }).count()).toBe(1);
});

test.each([
  ['a job', '', '?tab=changes', '?diff=split', '?tab=checks', '?tab=activity', '?tab=conversation'],
  ['a preview', ...Object.keys(pages).map((path) => `?tab=preview&page=${path}`)],
  [
    'a preview of both versions',
    ...['before', 'after'].map((version) => `?tab=preview&page=evil.mdx&version=${version}`),
  ],
  [
    'the pages around',
    '/../..',
    '/../../keys',
    '/../../automations',
    '/../../settings',
    '/../../settings/edit',
    '/../../search?q=attack',
    '/../../usage?by=key',
    '/../../webhooks',
  ],
])('%s runs no script, asks nobody else and breaks no layout (%s)', async (_what, ...addresses) => {
  for (const address of addresses) await findUnharmed(`${job}${address}`);
  expect(complaints).toEqual([]);
});

test('a job at work runs no script, asks nobody else and breaks no layout', async () => {
  const address = job.replace(/job_\w+$/, live);
  await page.goto(`${served.service.url}${address}`);
  await page.locator('#job').getByText('read a"onclick').waitFor();
  for (const view of ['', '?tab=activity']) await findUnharmed(`${address}${view}`);
  expect(complaints).toEqual([]);
});

async function findUnharmed(address: string): Promise<void> {
  await page.setViewportSize({ width: 1280, height: 900 });
  await page.goto(`${served.service.url}${address}`);
  for (const details of await page.locator('details:not(.menu)').all())
    await details.evaluate((element) => element.setAttribute('open', ''));
  await page.evaluate('document.querySelectorAll("main *").forEach((each) => each.focus?.())');
  for (const width of [1280, 360]) {
    await page.setViewportSize({ width, height: 900 });
    const overflow = 'document.documentElement.scrollWidth - document.documentElement.clientWidth';
    expect({ address, width, overflow: await page.evaluate(overflow) }).toEqual({ address, width, overflow: 0 });
  }
}
