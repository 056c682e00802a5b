import { sql } from 'kysely';
import { afterAll, describe, expect, test } from 'vitest';
import { eventually } from '../../../harness/eventually.ts';
import { createVisitor, type Visitor } from '../../../harness/visitor.ts';
import { steps } from '../../../local/model/script.ts';
import { openServedWorld } from '../../support/worlds/served-world.ts';

const served = await openServedWorld();
served.choices.push(
  { when: 'only asked', script: () => ({ text: 'Nothing to change.' }) },
  {
    when: 'raise the limit',
    script: steps([
      { calls: [{ name: 'write_file', arguments: { path: 'limits.md', content: '# Limits\n\n100 requests.\n' } }] },
      { calls: [{ name: 'finish', arguments: { title: 'Raise the limit', summary: 'The limit is 100 now.' } }] },
    ]),
  },
  { when: 'wait', script: () => ({ fault: { kind: 'hang' } }) },
);
const visit = () => createVisitor({ url: served.service.url, github: served.world.github });
const rita = visit();
await rita.signIn('rita');
afterAll(() => served[Symbol.asyncDispose]());

const project = () => `/projects/${served.world.projectId}`;

const createJob = async (prompt: string, fields: Record<string, string> = {}) =>
  (await rita.post(`${project()}/jobs/new`, { prompt, ...fields })).location;
const untilShown = (path: string, word: string) =>
  eventually(async () => {
    const { text } = await rita.get(path);
    return text.includes(word) ? text : undefined;
  });
const statusOf = (text: string) => /class="status [^>]*>([^<]+)</.exec(text)?.[1];

test('an instruction becomes a pull request, and a follow-up continues it', async () => {
  const job = await createJob('Please raise the limit.\r\nEverywhere.');
  expect(job).toMatch(/\/jobs\/job_\w+$/);
  const text = await untilShown(job, '>Ready for review<');
  expect(text).toContain('The limit is 100 now.');
  expect(text).toContain('Pull request #1</a>');
  expect(statusOf(text)).toBe('Ready for review');
  expect(text).toContain('Please raise the limit.\nEverywhere.');
  const jobId = job.split('/').at(-1) ?? '';
  expect(await served.caller.get(jobId)).toMatchObject({ status: 'completed' });

  const sent = await rita.post(`${job}/messages`, { prompt: 'I only asked.' });
  expect(sent.location).toContain(job);
  await untilShown(job, 'Nothing to change.');
  const list = await rita.get(project());
  expect(list.text).toContain('Raise the limit</a>');
  expect((await rita.post(`${job}/archive`)).location).toBe(job);
  const archived = await rita.get(job);
  expect(statusOf(archived.text)).toBe('Archived');
  expect(archived.text).not.toContain('Follow-up');
  const refused = await rita.post(`${job}/messages`, { prompt: 'One more.' });
  expect(refused.status).toBe(409);
});

test('a run is cancelled', async () => {
  const job = await createJob('Please wait.');
  expect((await rita.get(job)).text).toContain('>Cancel</button>');
  await rita.post(`${job}/cancel`);
  const stopped = await untilShown(job, '>Stopped<');
  expect(statusOf(stopped)).toBe('Stopped');
  expect(stopped.split('Stopped on request.')).toHaveLength(2);
  const edit = /href="([^"#]+\?edit=[^"#]+)#prompt"/.exec(stopped)?.[1] ?? '';
  expect((await rita.get(edit)).text).toContain('>\nPlease wait.</textarea>');
});

test('a page that a project does not have keeps the way to those that it has', async () => {
  for (const path of ['/nothing', '/jobs/job_none', '/automations/none/merged']) {
    const { status, text } = await rita.get(`${project()}${path}`);
    expect([path, status]).toEqual([path, 404]);
    expect(text).toContain('This project has no such page.');
    expect(text).toContain(`<a class="button" href="${project()}">Jobs of ${served.name}</a>`);
  }
  expect((await rita.get('/projects/prj_none/nothing')).text).toContain('or you do not have write access');
});

test('jobs are filtered by status and source, and paged', async () => {
  await served.caller.create('I only asked by API.');
  const byApi = await rita.get(`${project()}?source=api`);
  expect(byApi.text).toContain('I only asked by API.');
  expect((await rita.get(`${project()}?source=dashboard`)).text).not.toContain('I only asked by API.');
  expect((await rita.get(`${project()}?status=archived`)).text).not.toContain('I only asked by API.');
  expect((await rita.get(`${project()}?status=gone`)).status).toBe(400);
  const { database } = served.world.database;
  await sql`insert into jobs (job_id, project_id, status, base, model, draft)
    select 'job_7zzzzzzzzzzzzzzzzzzzzzzz' || lpad(place::text, 2, '0'), ${served.world.projectId}, 'failed', 'main', 'gpt-test', false
    from generate_series(1, 25) as places (place)`.execute(database);
  const { text } = await rita.get(project());
  const older = /rel="next" href="([^"]+)"/.exec(text)?.[1]?.replaceAll('&amp;', '&') ?? '';
  expect((await rita.get(older)).text).toContain('I only asked by API.');
});

test('jobs are searched by their instructions, and by what waits for a review', async () => {
  const { id } = await served.caller.create('Please raise the limit of 50% for zebras.');
  await served.caller.settled(id);
  const find = async (query: string) => (await rita.get(`${project()}?${query}`)).text.includes(`id="${id}"`);
  expect(await find('q=OF%2050%25%20FOR')).toBe(true);
  expect(await find('q=of%2050_')).toBe(false);
  expect(await find('needs=review&author=ci')).toBe(true);
  expect(await find('author=somebody')).toBe(false);
  const { text: ofAuthor } = await rita.get(`${project()}?author=ci`);
  expect(ofAuthor).toMatch(/<ul aria-label="Author">.*author=ci" aria-current="true">ci<.*author=rita">rita</);
  expect(ofAuthor).toContain('<input type="hidden" name="author" value="ci">');
  expect((await rita.get(project())).text).toMatch(/Needs review <span class="count">\d+</);
});

test('a branch that GitHub does not have is refused in the form', async () => {
  const typed = { prompt: 'I only asked on a branch.', ref: 'no-such-branch' };
  const page = await rita.post(`${project()}/jobs/new`, typed);
  expect(page.status).toBe(422);
  expect(page.text).toContain('The repository has no branch no-such-branch.');
  expect(page.text).toContain('value="no-such-branch"');
  const near = await rita.post(`${project()}/jobs/new`, { ...typed, ref: 'mian' });
  expect(near.text).toContain('The repository has no branch mian. Did you mean main?');
  expect((await rita.post(`${project()}/jobs/new`, { ...typed, ref: 'main' })).location).toMatch(/job_/);
});

test('a form that is filled in wrongly says so and keeps what was typed', async () => {
  const typed = { prompt: '', ref: 'no..branch', model: 'unknown', draft: 'on' };
  const page = await rita.post(`${project()}/jobs/new`, typed);
  expect(page.status).toBe(422);
  expect(page.text).toContain('The instruction must have 1 to 32,000 characters.');
  expect(page.text).toContain('The base branch must be a valid branch name.');
  expect(page.text).toContain('The model must be one of: gpt-test.');
  expect(page.text).toContain('value="no..branch"');
  expect(page.text).toContain('name="draft" checked');
  const long = await rita.post(`${project()}/jobs/new`, { prompt: '漢'.repeat(32_001) });
  expect(long.status).toBe(422);
});

describe('promise 36: the dashboard shows and allows what GitHub says', () => {
  const setPermission = (login: string, role: 'read' | 'write' | 'maintain') => {
    served.world.github.addUser(login);
    served.world.github.setPermission(served.name, login, role);
  };
  const signedIn = async (login: string) => {
    const visitor = visit();
    await visitor.signIn(login);
    return visitor;
  };

  test('strangers and readers find nothing', async () => {
    setPermission('reader', 'read');
    const job = await createJob('I only asked once.');
    for (const login of ['reader', 'stranger']) {
      served.world.github.addUser(login);
      const visitor = await signedIn(login);
      expect((await visitor.get('/projects')).text).not.toContain('acme/docs');
      const paths = [project(), job, `${project()}/keys`, `${project()}/jobs/new`];
      for (const path of paths) expect((await visitor.get(path)).status).toBe(404);
      expect((await visitor.post(`${job}/archive`)).status).toBe(404);
    }
    expect(statusOf((await rita.get(job)).text)).not.toBe('Archived');
  });

  test('writers may not see keys; maintainers create, use and revoke them', async () => {
    expect((await rita.get(`${project()}/keys`)).status).toBe(403);
    expect((await rita.post(`${project()}/keys`, { name: 'mine', expires: 'never' })).status).toBe(403);
    setPermission('mona', 'maintain');
    const mona = await signedIn('mona');
    const { location } = await mona.post(`${project()}/keys`, { name: 'mine', expires: '30' });
    expect(location).toBe(`${project()}/keys`);
    const key = /role="status"[^>]*>(pagewright_\w+)</.exec((await mona.get(location)).text)?.[1] ?? '';
    const ask = () =>
      fetch(`${served.service.url}/v2/agent/${served.world.projectId}/job`, {
        headers: { authorization: `Bearer ${key}` },
      });
    expect((await ask()).status).toBe(200);
    const keys = await mona.get(`${project()}/keys`);
    expect(keys.text).not.toContain(key);
    expect((await mona.post(`${project()}/keys`, { name: 'mine', expires: '30' })).status).toBe(422);
    const revoke = /action="([^"]+\/revoke)"/.exec(keys.text)?.[1] ?? '';
    expect((await mona.post(revoke)).status).toBe(303);
    expect((await ask()).status).toBe(401);
    expect(served.service.lines.join('\n')).not.toContain(key);
  });

  test('a write asks GitHub anew', async () => {
    setPermission('ada', 'write');
    const ada = await signedIn('ada');
    const job = await createJob('I only asked twice.');
    expect((await ada.get(job)).status).toBe(200);
    setPermission('ada', 'read');
    expect((await ada.post(`${job}/messages`, { prompt: 'Too late.' })).status).toBe(404);
    expect((await rita.get(job)).text).not.toContain('Too late.');
  });

  test('nobody may anything while GitHub does not answer', async () => {
    setPermission('bob', 'write');
    const bob = await signedIn('bob');
    const fault = served.world.github.inject({ path: /\/collaborators\/bob\/permission$/, kind: 'before', times: 100 });
    expect((await bob.get(project())).status).toBe(503);
    fault.remove();
    expect((await bob.get(project())).status).toBe(200);
  });
});

describe('the search', () => {
  const search = async (visitor: Visitor, path: string) => (await visitor.get(path)).text.split('id="found"')[1] ?? '';

  test('finds jobs, projects and the pages that the person may open', async () => {
    const { id } = await served.caller.create('I only asked about giraffes.');
    expect(await search(rita, `${project()}/search?q=GIRAFFES`)).toContain(`/jobs/${id}"`);
    expect(await search(rita, '/search?q=giraffes')).toContain(`/jobs/${id}"`);
    expect(await search(rita, '/search?q=acme%2Fdo')).toContain(`href="${project()}"`);
    const found = await search(rita, `${project()}/search`);
    expect(found).toContain('Usage');
    expect(found).not.toContain('Keys');
    expect(await search(rita, `${project()}/search?q=%3Cb%3E`)).toContain('Nothing has these words.');
  });

  test('finds nothing for strangers', async () => {
    served.world.github.addUser('nosy');
    const nosy = visit();
    await nosy.signIn('nosy');
    expect((await nosy.get(`${project()}/search?q=giraffes`)).status).toBe(404);
    expect(await search(nosy, '/search?q=giraffes')).not.toContain('/jobs/');
    expect(await search(nosy, '/search?q=acme')).not.toContain('acme/docs');
    expect((await visit().get('/search')).status).toBe(401);
  });
});

test('projects are searched by name, and say what waits for a review', async () => {
  expect((await rita.get('/projects?q=ACME%2F')).text).toContain('>acme/docs</a>');
  expect((await rita.get('/projects?q=nothing-like-it')).text).toContain('No project of yours has these letters');
  expect((await rita.get('/projects')).text).toMatch(/\d+ to review<\/a>/);
});

test('a permanent link leads to its message, however many runs came after it', async () => {
  const { id } = await served.caller.create('I only asked the first time.');
  await served.caller.settled(id);
  const { database } = served.world.database;
  await sql`insert into runs (run_id, job_id, number, phase, outcome, code, ended_at)
    select 'run_7zzzzzzzzzzzzzzzzzzzzzzz' || lpad(n::text, 2, '0'), ${id}, n, 'ended', 'completed', 'nothing_to_change', now() from generate_series(2, 14) n`.execute(
    database,
  );
  const job = `${project()}/jobs/${id}`;
  const { message_id: messageId } = await database
    .selectFrom('messages')
    .select('message_id')
    .where('job_id', '=', id)
    .executeTakeFirstOrThrow();
  expect((await rita.get(job)).text).not.toContain(`id="${messageId}"`);
  const { text } = await rita.get(`${job}?at=${messageId}`);
  expect(text).toContain(`id="${messageId}"`);
  expect(text).not.toContain('data-events');
  expect((await rita.get(`${job}?at=msg_of_another_job`)).text).toContain('data-events');
});

test('only maintainers see the tabs that only they may open', async () => {
  expect((await rita.get(project())).text).not.toContain(`href="${project()}/keys"`);
  served.world.github.addUser('tabea');
  served.world.github.setPermission(served.name, 'tabea', 'maintain');
  const tabea = visit();
  await tabea.signIn('tabea');
  expect((await tabea.get(project())).text).toContain(`href="${project()}/keys"`);
});

test('a theme leads back to its page, and never elsewhere', async () => {
  const send = (theme: string, referer: string) => rita.post('/theme', { theme }, { referer });
  const here = `${served.service.url}${project()}?status=failed`;
  expect((await send('dark', here)).location).toBe(`${project()}?status=failed`);
  expect((await rita.get(project())).text).toContain('<html lang="en" data-theme="dark">');
  expect((await send('system', 'https://evil.example/projects')).location).toBe('/projects');
  expect((await send('neon', here)).status).toBe(400);
});

test('a list says that it changed, and again to a reader that comes back', async () => {
  const { world: own } = await served.openProject('listed');
  const list = `/projects/${own.projectId}`;
  const createHere = async (prompt: string) => (await rita.post(`${list}/jobs/new`, { prompt })).location;
  const readSeen = (page: string) => /data-events="[^"]+seen=([\w-]{22})"/.exec(page)?.[1] ?? '';
  const before = await rita.get(list);
  const reader = await openListStream(before.text);
  const job = await createHere('I only asked.');
  expect(await reader.next()).toMatch(/^id: [\w-]{22}\nevent: jobs\.changed\n/m);
  await rita.post(`${job}/archive`);
  // Changes that come together are one event; the last one is of the list as it is.
  const after = await eventually(async () => {
    const { text } = await rita.get(list);
    return reader.text().includes(`id: ${readSeen(text)}`) ? text : undefined;
  });
  const ids = reader.text().match(/^id: .+$/gm) ?? [];
  expect(new Set(ids).size).toBe(ids.length);
  reader.close();

  // Who was away hears at once; who saw it all, with the next change.
  const late = await openListStream(before.text);
  expect(await late.next()).toContain(`id: ${readSeen(after)}`);
  late.close();
  const present = await openListStream(after);
  await createHere('I only asked once more.');
  expect(await present.next()).not.toContain(`id: ${readSeen(after)}`);
  present.close();
});

/** Follows the list as its page does. */
async function openListStream(page: string) {
  const address = /id="jobs"[^>]* data-events="([^"]+)"/.exec(page)?.[1]?.replaceAll('&amp;', '&') ?? '';
  const closing = new AbortController();
  const cookie = [...rita.cookies].map((pair) => pair.join('=')).join('; ');
  const response = await fetch(`${served.service.url}${address}`, { headers: { cookie }, signal: closing.signal });
  expect(response.headers.get('content-type')).toContain('text/event-stream');
  let received = '';
  const reading = (async () => {
    for await (const part of response.body?.pipeThrough(new TextDecoderStream()) ?? []) received += part;
  })();
  reading.catch(() => {});
  const until = (isReached: (text: string) => boolean) =>
    eventually(() => (isReached(received) ? received : undefined));
  return {
    text: () => received,
    until,
    next: () => until((text) => text.includes('id: ')),
    close: () => closing.abort(),
  };
}
