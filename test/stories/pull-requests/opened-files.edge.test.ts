import { afterAll, beforeAll, expect, test } from 'vitest';
import { edit, finish, write } from '../../../harness/script-steps.ts';
import { type Script, steps } from '../../../local/model/script.ts';
import { openWorkshop, type Workshop } from '../../support/worlds/workshop.ts';

const finished = finish('Done.', { title: 'Correct the limit', description: 'Says 100 requests.' });
const page = steps([edit('limits.md', '60 requests', '100 requests'), finished]);
const style = (color: string) => steps([write('static/site.css', `a { color: ${color} }\n`), finished]);
const later = steps([edit('index.md', 'Welcome.', 'Welcome!'), finished]);

let shop: Workshop;
beforeAll(async () => {
  shop = await openWorkshop({
    files: {
      'index.md': '# Acme\n\nWelcome.\n',
      'limits.md': '# Limits\n\n60 requests per minute.\n',
      '.github/pagewright.yml': 'also: ["static/**/*.css"]\n',
    },
  });
});
afterAll(() => shop[Symbol.asyncDispose]());

/** A job whose pull request is open, and no draft. */
async function openJob(prompt: string, followUps: readonly Script[]) {
  const job = await shop.create(prompt, [page, ...followUps]);
  await job.settled();
  const number = await job.number();
  expect(await shop.github.pullRequest(number)).toMatchObject({ draft: false });
  return { job, number };
}

test('promise 19: a follow-up that changes what only `also` opens makes the open pull request a draft before it pushes', async () => {
  const { job, number } = await openJob('Colors.', [style('red'), later, style('blue')]);
  const sent = shop.world.github.requests.length;
  await job.message('In red.');
  await job.settled();
  const { draft, body } = await shop.github.pullRequest(number);
  expect(draft).toBe(true);
  expect(body).toMatch(
    /^<!-- pagewright:start -->\s+> \[!WARNING\]\n> This change includes files that are not pages: .*static\/site\.css/,
  );
  const writes = shop.world.github.requests.slice(sent).filter(({ path }) => /graphql$|git-receive-pack$/.test(path));
  expect(writes.map(({ path }) => path.split('/').at(-1))).toEqual(['graphql', 'git-receive-pack']);

  // A person has read it. What they have not seen makes it a draft again, and nothing else does.
  await shop.rita.markReadyForReview(shop.name, number);
  await job.message('Sounds happier.');
  await job.settled();
  expect(await shop.github.pullRequest(number)).toMatchObject({ draft: false });
  await job.message('In blue.');
  await job.settled();
  expect(await shop.github.pullRequest(number)).toMatchObject({ draft: true });
});

test('promise 19: where GitHub refuses the draft, the change is published and says so first', async () => {
  const { job, number } = await openJob('More colors.', [style('green')]);
  const message = 'pagewright[bot] does not have permission to convert the pull request to draft.';
  const errors = [{ type: 'FORBIDDEN', path: ['convertPullRequestToDraft'], message }];
  const refused = { data: { convertPullRequestToDraft: null }, errors };
  shop.world.github.inject({ kind: 'answer', path: /graphql$/, status: 200, body: refused });
  await job.message('In green.');
  await job.settled();
  const { draft, body } = await shop.github.pullRequest(number);
  expect(draft).toBe(false);
  expect(body).toMatch(/^<!-- pagewright:start -->\s+> \[!WARNING\]\n> This change includes files that are not pages/);
  const run = (await job.runs()).at(-1);
  expect(run?.warnings).toEqual([
    expect.stringMatching(/^The pull request could not be made a draft\. GitHub refused to convert/),
  ]);
});
