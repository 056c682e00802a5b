import { afterAll, expect, test } from 'vitest';
import { eventually } from '../../../harness/eventually.ts';
import { edit, finish } from '../../../harness/script-steps.ts';
import { createVisitor } from '../../../harness/visitor.ts';
import { steps } from '../../../local/model/script.ts';
import { readStory } from '../../../src/http/dashboard/jobs/story/read-story.ts';
import { renderTurns } from '../../../src/http/dashboard/jobs/story/steps-and-turns.ts';
import { html } from '../../../src/http/pages/html.ts';
import { docsSite } from '../../support/worlds/docs-site.ts';
import { openServedWorld } from '../../support/worlds/served-world.ts';

const served = await openServedWorld({ files: docsSite });
const rita = createVisitor({ url: served.service.url, github: served.world.github });
await rita.signIn('rita');
afterAll(() => served[Symbol.asyncDispose]());

const createJob = async (prompt: string) =>
  (await rita.post(`/projects/${served.world.projectId}/jobs/new`, { prompt })).location;
const untilShown = (path: string, word: string) =>
  eventually(async () => {
    const { text } = await rita.get(path);
    return text.includes(word) ? text : undefined;
  });

test('a live run shows the files it changed and what the checks found, and a failed one is tried again', async () => {
  const breakLink = edit('index.mdx', '/limits', '/limit');
  served.choices.push({
    when: 'Break the link',
    script: steps([breakLink, finish('Links the limits.', { title: 'Link' }), { fault: { kind: 'hang' } }]),
  });
  const job = await createJob('Break the link.');
  const problem =
    /<p>[^<]*\/limit\b[^<]*<\/p>\n<p class="hint"><code>index\.mdx:5<\/code> <span class="tag bad">error<\/span>/;
  const checks = `${job}?tab=checks`;
  expect(await untilShown(checks, 'Sent back to the agent.')).toMatch(problem);
  const { text: live } = await rita.get(job);
  expect(live).toContain('>Working<');
  expect(live).toMatch(/Changed so far[\s\S]*<code>index\.mdx<\/code><\/a> .*\+1<.*−1</);
  const [, soFar = ''] = /id="live-files">([\s\S]*?)<\/ul>/.exec(live) ?? [];
  expect(soFar).toMatch(/class="line delete"[\s\S]*>limits<[\s\S]*class="line add"[\s\S]*>limit</);

  // What is sent while it works has the columns that this browser remembers.
  await rita.get(`${job}?diff=split`);
  const cookie = [...rita.cookies].map((pair) => pair.join('=')).join('; ');
  const { body } = await fetch(`${served.service.url}${job}/events`, { headers: { cookie } });
  let sent = '';
  for await (const part of body?.pipeThrough(new TextDecoderStream()) ?? []) {
    sent += part;
    if (sent.includes('live-files')) break;
  }
  expect(sent).toContain('live-files split');
  await rita.get(`${job}?diff=unified`);

  await rita.post(`${job}/cancel`);
  const ended = await untilShown(job, '>Stopped<');
  expect((await rita.get(checks)).text).toMatch(problem);
  expect(ended).not.toMatch(/Changed so far|live-files/);
  expect(ended).toContain('To continue, try again, or send another instruction below.');
  expect(ended).not.toMatch(/notice marked bad|Fix the problem|Could not finish/);

  const [, prompt = ''] = /name="prompt" value="([^"]+)"><button class="quiet">Try again</.exec(ended) ?? [];
  await rita.post(`${job}/messages`, { prompt });
  const again = await untilShown(job, '>Working<');
  expect(again.split('<p>Break the link.</p>')).toHaveLength(3);
  await rita.post(`${job}/cancel`);
});

test('an answer links to its comment on GitHub', async () => {
  served.choices.unshift(
    { when: 'only asked', script: () => ({ text: 'Nothing to change.' }) },
    {
      when: 'Name the limits',
      script: steps([edit('index.mdx', '/limits', '/limits#top'), finish('Says more.', { title: 'Say more' })]),
    },
  );
  const job = await createJob('Name the limits.');
  await untilShown(job, '>Ready for review<');
  await rita.post(`${job}/messages`, { prompt: 'I only asked.' });
  const text = await untilShown(job, 'Comment on GitHub');
  const url = /href="([^"]+)">Comment on GitHub</.exec(text)?.[1] ?? '';
  expect(url).toMatch(/\/acme\/docs\/pull\/\d+#issuecomment-\d+$/);
});

test('a turn that begins while its page is read changes the id of no fold', async () => {
  const turns = Array.from({ length: 16 }, (_, turn) => ({
    text: `Turn ${turn + 1}.`,
    calls: [{ name: 'read_file', arguments: { path: 'index.mdx', start_line: 1, end_line: turn + 1 } }],
  }));
  served.choices.unshift({ when: 'Read on', script: steps([...turns, { text: 'Done.' }]) });
  const path = await createJob('Read on.');
  await untilShown(path, '>No change needed<');
  const { database } = served.world.database;
  const job = await database
    .selectFrom('jobs')
    .selectAll()
    .where('job_id', '=', path.split('/').at(-1) ?? '')
    .executeTakeFirstOrThrow();
  const listFolds = async (from: typeof database) => {
    const story = await readStory(from, { findJob: async () => job, hasResults: true, redact: (text) => text });
    return renderTurns(story.turns, '', { prose: (text) => html`${text}` }).html.match(/id="-\d+-\d+"/g);
  };
  // The count of the turns is read before the turns.
  const early = database.withPlugin({
    transformQuery: ({ node }) => node,
    transformResult: async ({ result }) => ({
      ...result,
      rows: result.rows.map((row) => ('turns' in row ? { ...row, turns: Number(row.turns) - 1 } : row)),
    }),
  });
  expect(await listFolds(early)).toEqual(await listFolds(database));
  expect(await listFolds(database)).toHaveLength(14);
});

test('a run that ends while its page is read is not shown beside a job that still works', async () => {
  const path = await createJob('I only asked.');
  await untilShown(path, '>No change needed<');
  const { database } = served.world.database;
  const ofJob = database
    .selectFrom('jobs')
    .selectAll()
    .where('job_id', '=', path.split('/').at(-1) ?? '');
  const { job_id: jobId } = await ofJob.executeTakeFirstOrThrow();
  const ended = { phase: 'ended', ended_at: new Date(), outcome: 'completed' } as const;
  const working = { phase: 'working', ended_at: null, outcome: null } as const;
  const set = async (status: 'active' | 'completed', run: typeof ended | typeof working) => {
    await database.updateTable('jobs').set({ status }).where('job_id', '=', jobId).execute();
    await database.updateTable('runs').set(run).where('job_id', '=', jobId).execute();
  };
  await set('active', working);
  const findJob = async (snapshot: typeof database) => {
    const job = await snapshot.selectFrom('jobs').selectAll().where('job_id', '=', jobId).executeTakeFirstOrThrow();
    await set('completed', ended);
    return job;
  };
  const story = await readStory(database, { findJob, hasResults: true, redact: (text) => text });
  expect({ status: story.job.status, phase: story.runs.at(-1)?.phase }).toEqual({ status: 'active', phase: 'working' });
  // A follow-up waits for its run: the time of the run before is not its time.
  await set('active', ended);
  const { text } = await rita.get(path);
  expect(text).toContain('waiting to start');
  expect(text).not.toContain('class="elapsed"');
  await set('completed', ended);
});

test('a preview shows images of the commit that the job pushed, and nothing else of the repository', async () => {
  const svg = '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>';
  const there = await served.openProject('pictures', {
    'docs/index.md': '# Home\n',
    'docs/img/a b.svg': svg,
    'static/b.png': 'PNG',
    'secret.md': 'Secret.\n',
  });
  served.choices.unshift({
    when: 'Show the picture',
    script: steps([
      edit('docs/index.md', '# Home', '# Home\n\n![Picture](img/a%20b.svg) ![Root](/b.png)'),
      finish('It is shown.', { title: 'Picture' }),
    ]),
  });
  const jobs = `/projects/${there.world.projectId}/jobs`;
  const { location: job } = await rita.post(`${jobs}/new`, { prompt: 'Show the picture.' });
  await untilShown(job, '>Ready for review<');
  const { text } = await rita.get(`${job}?tab=preview`);
  const images = [...text.matchAll(/<img class="page-picture" src="([^"]+)"/g)].map(([, address = '']) => address);
  expect(images).toHaveLength(2);
  const [drawn = '', root = ''] = images;
  const image = await rita.get(drawn);
  expect(image).toMatchObject({ status: 200, text: svg });
  expect(image.headers.get('content-type')).toBe('image/svg+xml');
  expect(image.headers.get('content-security-policy')).toMatch(/default-src 'none'.*sandbox/);
  expect(image.headers.get('x-content-type-options')).toBe('nosniff');
  expect(await rita.get(root)).toMatchObject({ status: 200, text: 'PNG' });
  const { base } = await there.github.pullRequest(1);
  const refused = [
    drawn.replace(/path=.*/, 'path=secret.md'),
    drawn.replace(/path=.*/, 'path=docs%2Fgone.png'),
    drawn.replace(/[0-9a-f]{40}/, base.sha),
    drawn.replace(/[0-9a-f]{40}/, 'main'),
  ];
  for (const address of refused) expect((await rita.get(address)).status).toBe(404);
});
