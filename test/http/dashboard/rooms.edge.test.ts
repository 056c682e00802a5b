import { sql } from 'kysely';
import { afterAll, describe, expect, test } from 'vitest';
import { eventually } from '../../../harness/eventually.ts';
import { startReceiver } from '../../../harness/start-receiver.ts';
import { createVisitor } from '../../../harness/visitor.ts';
import { openServedWorld } from '../../support/worlds/served-world.ts';

const environment = {
  OPERATORS: 'Mona',
  WEBHOOK_ALLOWED_HOSTS: '127.0.0.1',
  OPENAI_PRICES: '{"currency":"EUR","gpt-test":{"in":1,"cachedIn":1,"out":1}}',
  BUDGET_TOKENS_PER_MONTH: '2000000',
};
const served = await openServedWorld({ environment });
served.choices.push({ when: 'only asked', script: () => ({ text: 'Nothing to change.' }) });
served.world.github.addUser('mona');
served.world.github.setPermission(served.name, 'mona', 'maintain');
const visit = () => createVisitor({ url: served.service.url, github: served.world.github });
const [mona, rita] = [visit(), visit()];
await mona.signIn('mona');
await rita.signIn('rita');
afterAll(() => served[Symbol.asyncDispose]());

const project = () => `/projects/${served.world.projectId}`;

describe('webhooks', () => {
  test('are added, tested, changed, paused, rotated and removed by maintainers', async () => {
    await using receiver = await startReceiver({ answer: () => ({ status: 202 }) });
    const address = `${project()}/webhooks`;
    expect((await rita.get(address)).status).toBe(403);
    const added = await mona.post(address, { url: receiver.url });
    const secret = /role="status"[^>]*>(whsec_[^<]+)</.exec(added.text)?.[1] ?? '';
    expect(secret).not.toBe('');
    const [, one = ''] = /action="([^"]+)\/test"/.exec(added.text) ?? [];
    expect((await rita.post(`${one}/test`)).status).toBe(403);
    expect((await mona.post(`${one}/test`)).location).toBe(one);
    expect(receiver.posts).toHaveLength(1);
    const tested = await mona.get(one);
    expect(tested.text).toMatch(/>202<\/span>[\s\S]*<code>webhook\.test/);
    expect(tested.text).not.toContain(secret);
    const [, delivery = ''] = /href="([^"]+\/deliveries\/[^"]+)"/.exec(tested.text) ?? [];
    const sent = await mona.get(delivery);
    expect(sent.text).toContain('&quot;type&quot;: &quot;webhook.test&quot;');
    expect(sent.text).toContain('Delivered');
    expect((await mona.get(`${one}/deliveries/whd_missing`)).status).toBe(404);
    expect((await rita.get(one)).status).toBe(403);

    const change = (fields: Record<string, string>) => mona.post(`${one}/edit`, { url: receiver.url, ...fields });
    expect((await change({})).text).toContain('The events must be a list of');
    expect((await change({ url: 'https://localhost/', events: 'job.failed' })).status).toBe(422);
    expect((await change({ events: 'job.failed' })).location).toBe(one);
    expect((await mona.get(one)).text.match(/ checked>/g)).toHaveLength(1);
    await mona.post(`${one}/pause`);
    expect((await mona.get(one)).text).toContain('Paused by mona.');
    expect((await mona.get(address)).text).toContain('>Paused</span>');
    await mona.post(`${one}/resume`);
    expect((await mona.get(address)).text).toContain('>Active</span>');
    const [rotate, remove] = [`${one}/rotate`, `${one}/remove`];
    const rotated = await mona.post(rotate);
    expect(/role="status"[^>]*>(whsec_[^<]+)</.exec(rotated.text)?.[1]).not.toBe(secret);
    expect((await mona.post(remove)).location).toBe(address);
    expect((await mona.get(address)).text).toContain('No webhooks yet');
  });

  test('never lead inside', async () => {
    for (const url of ['http://169.254.169.254/latest', 'https://localhost/hook', 'ftp://example.com', 'nothing']) {
      const refused = await mona.post(`${project()}/webhooks`, { url });
      expect(refused.status).toBe(422);
      expect(refused.text).toContain('The URL ');
    }
  });
});

test('usage is shown by day, model, key, author and automation, in the currency of the prices, and as CSV', async () => {
  const { id } = await served.caller.create('I only asked.');
  await served.caller.settled(id);
  const byDay = await rita.get(`${project()}/usage`);
  expect(byDay.text).toMatch(/role="img" aria-label="Tokens from /);
  expect(byDay.text).toContain(`<th scope="row">${new Date().toISOString().slice(0, 10)}</th>`);
  expect((await rita.get(`${project()}/usage?by=model`)).text).toContain('<th scope="row">gpt-test</th>');
  expect((await rita.get(`${project()}/usage?by=key`)).text).toContain('<th scope="row">ci</th>');
  const csv = await rita.get(`${project()}/usage?by=model&format=csv`);
  expect(csv.headers.get('content-type')).toContain('text/csv');
  expect(csv.text).toMatch(
    /^model,runs,turns,tokens_in,tokens_cached,tokens_out,cost\r\ngpt-test,1,1,\d+,\d+,\d+,[\d.]+\r\n$/,
  );
  expect((await rita.get(`${project()}/usage?from=2026-02-31`)).status).toBe(400);
  const unused = (await rita.get(`${project()}/usage?from=2020-01-01&to=2020-01-31`)).text;
  expect(unused).toContain('Nothing was used in these days.');
  expect(unused).not.toContain('<figure');
  expect((await rita.get(`${project()}/jobs/${id}`)).text).toMatch(/tokens · €0\.\d+</);
  expect(byDay.text).toMatch(/<dt>Cost<\/dt><dd>€0\.\d+</);
  expect(byDay.text).toContain('of 2M tokens');
  expect((await rita.get(`${project()}/usage?by=author`)).text).toContain('<th scope="row">ci</th>');
  const byAutomation = (await rita.get(`${project()}/usage?by=automation`)).text;
  expect(byAutomation).toContain('<th scope="row">No automation</th>');
  expect(byAutomation).toMatch(/name="by" value="automation"[\s\S]*by=automation" aria-current="true">Automation</);
});

test('maintainers send a delivery again that was given up', async () => {
  const { caller, world, choices } = served;
  const { database } = world.database;
  await using receiver = await startReceiver();
  await mona.post(`${project()}/webhooks`, { url: receiver.url });
  choices.push({
    when: 'Refuse it',
    script: () => ({ fault: { kind: 'status', status: 400, code: 'content_policy_violation' } }),
  });
  const { id } = await caller.create('Refuse it.');
  await caller.settled(id);
  await eventually(() => receiver.posts.length > 0 || undefined);
  const over = { state: 'failed', error: 'it answered 500', response_status: 500 } as const;
  await database.updateTable('webhook_deliveries').set(over).where('job_id', '=', id).execute();
  const [, one = ''] = /class="what"><a href="([^"]+)"/.exec((await mona.get(`${project()}/webhooks`)).text) ?? [];
  await database
    .updateTable('webhook_deliveries')
    .set({ state: 'waiting', tried_at: null, due_at: sql<Date>`now() + interval '90 seconds'` })
    .where('job_id', '=', id)
    .execute();
  expect((await mona.get(one)).text).toMatch(/<td class="muted short">due <time [^>]*>in 2 minutes</);
  await database.updateTable('webhook_deliveries').set(over).where('job_id', '=', id).execute();
  const failed = await mona.get(one);
  expect(failed.text).toContain('>Refuse it.</span>');
  const [, redeliver = ''] = /action="([^"]+\/redeliver)"/.exec(failed.text) ?? [];
  expect((await rita.post(redeliver)).status).toBe(403);
  const { location } = await mona.post(redeliver);
  expect((await mona.get(location)).text).toContain(`/jobs/${id}">Refuse it.</a>`);
  await eventually(() => receiver.posts.length > 1 || undefined);
  expect(receiver.posts[1]?.headers['webhook-id']).toBe(receiver.posts[0]?.headers['webhook-id']);
});

test('the first visit may try an example', async () => {
  expect((await rita.get(`${project()}/jobs/new`)).text).not.toContain('>\nFix the typos');
  expect((await rita.get(`${project()}/jobs/new?example`)).text).toContain('>\nFix the typos');
});

test('settings show each value and the mistakes of the file', async () => {
  const { text } = await mona.get(`${project()}/settings`);
  expect(text).toContain('<code>main</code>');
  expect(text).toMatch(/<th scope="row">Contents<\/th><td>read and write<\/td><td class="muted">Clone the repository/);
  const { database } = served.world.database;
  await database
    .updateTable('projects')
    .set({ settings_problems: JSON.stringify(['`drafts` is not a setting; did you mean `draft`? (line 3)']) })
    .execute();
  expect((await mona.get(`${project()}/settings`)).text).toContain('did you mean <code>draft</code>? (');
});

test('a job that mistakes of the settings stop lists them, each with its line', async () => {
  const files = { 'index.md': '# Home\n', '.github/pagewright.yml': 'drafts: 1\nlabels: docs\n' };
  const { caller, name, world } = await served.openProject('stopped', files);
  served.world.github.setPermission(name, 'rita', 'write');
  const { id } = await caller.create('Anything.');
  await caller.settled(id);
  const { text } = await rita.get(`/projects/${world.projectId}/jobs/${id}`);
  expect(text).toContain('have mistakes. Correct the file, then try again.</strong>');
  expect(text).toMatch(/<li><code>labels<\/code> must be a list of labels \(<a href="[^"]+#L2">line 2<\/a>\)<\/li>/);
});

describe('settings', () => {
  const openOwn = async (owner: string, text: string) => {
    const files = { 'index.md': '# Home\n', '.github/pagewright.yml': text };
    const own = await served.openProject(owner, files);
    served.world.github.setPermission(own.name, 'mona', 'maintain');
    const { projectId } = own.world;
    return { github: own.github, name: own.name, address: `/projects/${projectId}/settings`, projectId };
  };
  const readForm = (page: string) => ({
    base: /name="base"[^>]* value="([^"]*)"/.exec(page)?.[1] ?? '',
    instructions: '',
    comments: 'all',
    labels: '',
    co_authors: 'on',
    fix_checks: /name="fix_checks"[^>]* value="([^"]*)"/.exec(page)?.[1] ?? '',
  });

  test('are changed by a pull request that names its person, and is opened once', async () => {
    const { github, name, address } = await openOwn('proposers', '# Ours\nlabels: [docs] # all of them\nbase: main\n');
    const form = await mona.get(`${address}/edit`);
    expect(form.text).toMatch(/>\s*docs<\/textarea>/);
    const wanted = { ...readForm(form.text), labels: 'docs\r\nfrom the dashboard', draft: 'on' };
    const { location } = await mona.post(`${address}/edit`, wanted);
    expect(location).toBe(`${address}?proposed=1`);
    expect((await mona.post(`${address}/edit`, wanted)).location).toBe(location);
    const shown = await mona.get(location);
    expect(shown.text).toContain(`${name}/pull/1">pull request #1</a>`);
    const [pull] = await github.pullRequests();
    expect(pull?.body).toContain('@mona proposes on the dashboard');
    const text = await github.file(pull?.head.ref ?? '', '.github/pagewright.yml');
    expect(text).toContain('# Ours');
    expect(text).toContain('draft: true');
    expect(text).toContain('from the dashboard');
    expect((await rita.get(`${address}/edit`)).status).toBe(403);
  });

  test('are read from GitHub once, until a push changes the file', async () => {
    const { name, address } = await openOwn('readers', 'labels: [docs]\n');
    const asked = () => served.world.github.requests.filter(({ path }) => path.includes(`${name}/contents/`)).length;
    const change = (text: string) => served.rita.pushCommit(name, 'main', { '.github/pagewright.yml': text }, 'Change');
    const untilShown = (words: string) =>
      eventually(async () => (await mona.get(address)).text.includes(words) || undefined);
    await change('# Ours\nlabels: [docs]\n');
    await untilShown('Line 2</a>');
    const before = asked();
    expect((await mona.get(address)).text).toContain('Line 2</a>');
    expect(asked()).toBe(before);
    await change('# Ours\n# And more\nlabels: [docs]\n');
    await untilShown('Line 3</a>');
  });

  test('with a mistake are refused in the form, which keeps what was typed', async () => {
    const { address } = await openOwn('mistaken', 'draft: true\n');
    const form = await mona.get(`${address}/edit`);
    const refused = await mona.post(`${address}/edit`, { ...readForm(form.text), base: 'no..branch', labels: 'kept' });
    expect(refused.status).toBe(422);
    expect(refused.text).toContain('must be a valid branch name');
    expect(refused.text).toContain('value="no..branch"');
    expect(refused.text).toMatch(/>\s*kept<\/textarea>/);
  });

  test('say the line that they come from; a broken file has no say', async () => {
    const { address, projectId } = await openOwn('origins', '\n\nlabels: [docs]\n');
    const { database } = served.world.database;
    const store = (settings: object, more: object) =>
      database
        .updateTable('projects')
        .set({ settings: JSON.stringify(settings), ...more })
        .where('project_id', '=', projectId)
        .execute();
    await store({ labels: ['docs'] }, {});
    expect((await mona.get(address)).text).toMatch(/pagewright\.yml#L3">Line 3<\/a>/);
    const broken = {
      settings_problems: JSON.stringify(['`labels` must be a list of labels (line 3)']),
      good_settings: null,
    };
    await store({ paths: [], comments: 'off' }, broken);
    for (const page of ['', '/automations'])
      expect((await mona.get(`/projects/${projectId}${page}`)).text).toMatch(
        /The settings have a mistake[\s\S]*<code>labels<\/code>[\s\S]*#L3">line 3</,
      );
    expect((await mona.get('/projects')).text).toContain('The settings have mistakes');
    const { text } = await mona.get(address);
    expect(text).toContain('because of the mistakes');
    expect(text).toContain('#L3">line 3</a>');
    expect(text).not.toContain('>Line 3</a>');
  });
});

test('operators see the service and end sessions; others find nothing', async () => {
  expect((await rita.get('/operator')).status).toBe(404);
  expect((await rita.post('/operator/doctor')).status).toBe(404);
  expect((await mona.post('/operator/doctor')).text).toMatch(
    />git<\/th><td><span class="status status-completed">ok<\/span>/,
  );
  const page = await mona.get('/operator');
  expect(page.text).toContain('has what Pagewright needs');
  expect(page.text).toMatch(/Runs of the last 24 hours: [1-9]\d* done, \d+ failed/);
  const [, end = ''] = /<th scope="row">rita<\/th>[\s\S]*?action="([^"]+)"/.exec(page.text) ?? [];
  expect((await rita.post(end)).status).toBe(404);
  expect((await mona.post(end)).location).toBe('/operator');
  expect((await rita.get('/projects')).status).toBe(401);
});

test('operators see limits, slow runs and missed deliveries, and put a dead delivery up again', async () => {
  const { database } = served.world.database;
  const dead = { delivery_id: 'dead-1', tries: 16, asked_at: new Date(), attempt_id: '7', failed_at: new Date() };
  await database.insertInto('redeliveries').values(dead).execute();
  await database.updateTable('installations').set({ writes_until: sql<Date>`now() + interval '1 hour'` }).execute();
  served.choices.push({ when: 'wait', script: () => ({ fault: { kind: 'hang' } }) });
  const { id } = await served.caller.create('Please wait.');
  const shown = await eventually(async () => {
    const { text } = await mona.get('/operator');
    return new RegExp(`Live runs[\\s\\S]*jobs/${id}"`).test(text) ? text : undefined;
  });
  expect(shown).toMatch(/Writes wait until[\s\S]*<th scope="row">acme<\/th>[\s\S]*in (?:1 hour|60 minutes|59 minutes)/);
  expect(shown).toMatch(/<code>dead-1<\/code>[\s\S]*given up/);
  expect(shown).toMatch(/<dt>Missed webhooks from GitHub<\/dt><dd>1<\/dd><dd class="hint">1 given up<\/dd>/);
  expect(shown).toMatch(/needs? your attention[\s\S]*Pagewright gave up <a href="#missed">1 missed webhook of GitHub/);
  const redeliver = '/operator/deliveries/dead-1/redeliver';
  expect((await visit().post(redeliver)).status).toBe(401);
  expect((await mona.post('/operator/deliveries/other/redeliver')).status).toBe(404);
  expect((await mona.post(redeliver)).location).toBe('/operator');
  const found = await database.selectFrom('redeliveries').selectAll().executeTakeFirstOrThrow();
  expect(found.tries).toBeLessThan(2);
  expect((await mona.get('/operator')).text).not.toContain('given up');
  await database.updateTable('installations').set({ writes_until: null }).execute();
  await served.caller.cancel(id);
});

describe.concurrent('a stream of events ends', () => {
  const follow = async (login: string) => {
    const visitor = visit();
    served.world.github.addUser(login);
    served.world.github.setPermission(served.name, login, 'write');
    await visitor.signIn(login);
    const { id } = await served.caller.create('I only asked for a stream.');
    const cookie = [...visitor.cookies].map((pair) => pair.join('=')).join('; ');
    const address = `${served.service.url}${project()}/jobs/${id}/events`;
    expect((await fetch(address)).status).toBe(401);
    const stream = await fetch(address, { headers: { cookie } });
    expect(stream.headers.get('content-type')).toContain('text/event-stream');
    return { visitor, stream };
  };

  test('when the person signs out', async () => {
    const { visitor, stream } = await follow('ada');
    await visitor.post('/auth/sign-out');
    // Resolves when the stream has ended.
    expect(await stream.text()).toContain('event: job.created');
  });

  test('when GitHub takes the permission away, although a page remembers it', async () => {
    const { stream } = await follow('bea');
    served.world.github.setPermission(served.name, 'bea', 'read');
    expect(await stream.text()).toContain('event: job.created');
  });
});
