import { existsSync, globSync, readFileSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { parseEnv } from 'node:util';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import packageJson from '../package.json' with { type: 'json' };
import type { RunLimit } from '../src/agent/budget.ts';
import { readDocsTrees } from '../src/cli/read-docs-trees.ts';
import { variables } from '../src/config/config.ts';
import { webhookPath } from '../src/config/urls.ts';
import { checkChange } from '../src/docs/check-change.ts';
import type { Problem } from '../src/docs/problem.ts';
import { createTree } from '../src/docs/tree.ts';
import { createOpenApi } from '../src/http/api/description/openapi.ts';
import { problemMeanings } from '../src/http/api/description/responses.ts';
import { createJobBody, jobSchema } from '../src/http/api/jobs/job-resource.ts';
import { runsSchema } from '../src/http/api/runs/runs-resource.ts';
import { httpProblemKinds } from '../src/http/problem.ts';
import { alarmingCodes } from '../src/metrics/readings.ts';
import { parseSettings, settingsSchema } from '../src/repository/settings.ts';
import { createTestDatabase } from './support/databases/database.ts';

const papers = globSync(['*.md', 'docs/**/*.md'], { exclude: ['docs/node_modules/**'] }).sort();
const read = (path: string) => readFileSync(path, 'utf8');
const readme = read('README.md');
const apiPage = read('docs/api.md');
const githubPage = read('docs/github.md');
const configurationPage = read('docs/configuration.md');
const monitorPage = read('docs/operations/monitor.md');
const appYml = read('app.yml');
const code = globSync(['{src,harness,trials}/**/*.ts', 'package.json', 'tsconfig.json']).map(read).join('\n');

const findAll = (text: string, pattern: RegExp) => [...text.matchAll(pattern)].map(([, found]) => found ?? '');
const sortedSet = (names: Iterable<string>) => [...new Set(names)].sort();

const readCells = (row: string) =>
  row
    .trim()
    .slice(1, -1)
    .split('|')
    .map((cell) => cell.trim());

/** The cells of one column of the table with these heads. */
function readColumn(text: string, heads: string[], column = 0): string[] {
  const lines = text.split('\n');
  const head = lines.findIndex((line) => readCells(line).join('|') === heads.join('|'));
  if (head < 0) throw new Error(`there is no table with the heads ${heads.join(', ')}`);
  const rows = lines.slice(head + 2);
  const end = rows.findIndex((row) => !row.trim().startsWith('|'));
  return rows.slice(0, end < 0 ? rows.length : end).map((row) => readCells(row)[column] ?? '');
}

const readCodes = (cells: string[]) => cells.flatMap((cell) => findAll(cell, /`([^`]+)`/g));

/** The indented lines below a key of app.yml, without their comments. */
function readBlock(key: string): string[] {
  const block = new RegExp(`^${key}:\\n((?: {2}.*\\n)+)`, 'm').exec(appYml)?.[1];
  if (block === undefined) throw new Error(`app.yml has no ${key}`);
  return block
    .trimEnd()
    .split('\n')
    .map((line) => line.replace(/#.*/, '').trim());
}

test.each(papers)('%s names only npm scripts that exist', (path) => {
  const text = read(path);
  const named = [...findAll(text, /npm run (?:-s )?([a-z:-]+)/g), ...findAll(text, /npm (start|test)\b/g)];
  expect(named.filter((name) => !Object.hasOwn(packageJson.scripts, name))).toEqual([]);
});

test.each([...papers, '.ci/run'])('%s names only variables that the configuration reads', (path) => {
  // MALLOC_ARENA_MAX is glibc's, GIT_NO_LAZY_FETCH git's; the proxy's are those of curl, and PAGEWRIGHT_… those of callers.
  const known = [
    ...Object.keys(variables.shape),
    'HTTP_PROXY',
    'HTTPS_PROXY',
    'NO_PROXY',
    'NODE_EXTRA_CA_CERTS',
    'POSTGRES_PASSWORD',
    'TEST_DATABASE_URL',
    'MALLOC_ARENA_MAX',
    'GIT_NO_LAZY_FETCH',
    'PAGEWRIGHT_URL',
    'PAGEWRIGHT_PROJECT',
    'PAGEWRIGHT_KEY',
  ];
  const named = findAll(read(path), /(?<![\w-])([A-Z]+(?:_[A-Z]+)+)(?![\w-])/g);
  // `RUN_MAX_…` stands for all that begin so.
  const isKnown = (name: string) => known.some((variable) => variable === name || variable.startsWith(`${name}_`));
  expect(named.filter((name) => !isKnown(name))).toEqual([]);
});

test('the checks find no problem in our own site, which replaces links to other files of the repository', async () => {
  const signal = new AbortController().signal;
  const { head } = await readDocsTrees({ base: 'docs', head: 'docs', repo: undefined, signal });
  const base = createTree({ paths: new Set(), read: () => undefined });
  const { problems, sites } = checkChange({ base, head });
  expect(sites.map(({ framework }) => framework)).toEqual(['VitePress']);
  const isReplaced = ({ file, target }: Problem) =>
    target.startsWith('../') && existsSync(join('docs', dirname(file), target.replace(/#.*/, '')));
  // A decision is found from the list of all.
  const isListed = ({ file, kind }: Problem) => kind === 'unlisted' && file.startsWith('decisions/');
  expect(problems.filter((problem) => !isReplaced(problem) && !isListed(problem))).toEqual([]);
});

/** The anchor that GitHub makes of a heading. */
const toAnchor = (heading: string) =>
  heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N} _-]/gu, '')
    .replaceAll(' ', '-');

test.each(papers)('%s links only to files and headings that exist', (path) => {
  const links = findAll(read(path), /\]\((?!https?:)([^)]+)\)/g);
  const broken = links.filter((link) => {
    const [file = '', anchor] = link.split('#');
    const target = file === '' ? path : join(dirname(path), file);
    if (!existsSync(target)) return true;
    return (
      anchor !== undefined &&
      !findAll(read(target), /^#+ (.+)$/gm)
        .map(toAnchor)
        .includes(anchor)
    );
  });
  expect(broken).toEqual([]);
});

test('every page of the docs can be reached from the README', () => {
  const reached = new Set(['README.md']);
  for (const path of reached) {
    const links = findAll(read(path), /\]\((?!https?:)([^)#]+\.md)/g).map((link) => join(dirname(path), link));
    for (const link of links) reached.add(link);
  }
  // The first page of the site.
  const pages = papers.filter((path) => path !== 'docs/index.md');
  expect(pages.filter((path) => !reached.has(path))).toEqual([]);
});

test('the index of operations leads to each of its pages', () => {
  const pages = globSync('docs/operations/*.md').map((path) => basename(path));
  const linked = findAll(read('docs/operations/README.md'), /\]\((\w[\w-]*\.md)\)/g);
  expect(linked.toSorted()).toEqual(pages.filter((page) => page !== 'README.md').sort());
});

test('the README has at most 900 words', () => {
  expect(readme.trim().split(/\s+/).length).toBeLessThanOrEqual(900);
});

test('every picture of the docs is shown, and has at most 150 KB', () => {
  const pictures = globSync('docs/images/*');
  expect(pictures.length).toBeGreaterThan(0);
  const shown = papers.flatMap((path) =>
    findAll(read(path), /!\[[^\]]+\]\(([^)]+)\)/g).map((link) => join(dirname(path), link)),
  );
  expect(pictures.toSorted()).toEqual(sortedSet(shown));
  expect(pictures.filter((path) => statSync(path).size > 150 * 1024)).toEqual([]);
});

test('each place that CONTRIBUTING sends to exists', () => {
  const heads = ['To change', 'Go to', 'And'];
  const cells = [1, 2].flatMap((column) => readColumn(read('CONTRIBUTING.md'), heads, column));
  const places = readCodes(cells).filter((text) => /^(?:src|docs)\//.test(text));
  expect(places.length).toBeGreaterThan(25);
  expect(places.filter((place) => !existsSync(place))).toEqual([]);
});

test('the README shows the demo and the tests as whole commands', () => {
  expect(readme).toContain('\nnpm ci && npm run demo\n');
  expect(readme).toContain('\nnpm ci && npm test\n');
});

test('the GitHub page and app.yml ask for the same permissions', () => {
  const head = ['Permission', 'Level', 'Reason'];
  const levels = readColumn(githubPage, head, 1);
  const asked = readCodes(readColumn(githubPage, head)).map((name, index) => `${name}: ${levels[index]}`);
  expect(readBlock('default_permissions')).toEqual(asked);
});

test('the deploy page and app.yml send webhooks to where they are received', () => {
  expect(read('docs/operations/deploy.md')).toContain(`https://YOUR-HOST${webhookPath}`);
  expect(readBlock('hook_attributes')[0]).toMatch(new RegExp(`^url: https://[^/]+${webhookPath}$`));
});

test('the API page lists the routes of the API, and the status of their success', () => {
  const prefix = '/v2/agent/{projectId}';
  const { paths = {} } = createOpenApi();
  const routes = Object.entries(paths).flatMap(([path, methods]) =>
    path.startsWith(prefix)
      ? Object.entries(methods).map(([method, { responses }]: [string, { responses: object }]) => [
          `${method.toUpperCase()} ${path.slice(prefix.length)}`,
          Object.keys(responses).find((status) => status.startsWith('2')),
        ])
      : [],
  );
  const head = ['Route', 'Success', 'What it does'];
  const statuses = readColumn(apiPage, head, 1);
  const listed = readCodes(readColumn(apiPage, head)).map((route, index) => [route, statuses[index]]);
  expect(listed).toEqual(routes);
});

test('the API page names the fields of a request, and of a job with its statuses', () => {
  const createJob = createJobBody({ models: ['a-model'] });
  expect(readCodes(readColumn(apiPage, ['Body', 'Type', '']))).toEqual(Object.keys(createJob.shape));
  expect(readCodes(readColumn(apiPage, ['Field', '']))).toEqual(Object.keys(jobSchema.shape));
  const statuses = readCodes(readColumn(apiPage, ['`status`', 'Means', 'Takes follow-ups']));
  expect(statuses).toEqual(jobSchema.shape.status.options);
});

test('the job that the API page shows is one', () => {
  const [job = ''] = findAll(apiPage, /^```json\n([\s\S]*?)^```$/gm);
  expect(jobSchema.strict().safeParse(JSON.parse(job)).error).toBeUndefined();
});

test('the API page names the fields of a run', () => {
  const named = readCodes(readColumn(apiPage, ['Field of a run', '']));
  const { runs, ...members } = runsSchema.shape;
  const fields = Object.keys(runs.element.shape);
  expect(fields.filter((field) => !['id', 'number', 'startedAt', 'finishedAt'].includes(field))).toEqual(named);
  expect(readCodes(readColumn(apiPage, ['Member', 'Holds']))).toEqual(['runs', ...Object.keys(members)]);
});

test('the configuration page explains every variable, with its default', () => {
  const head = ['Variable', 'Default', 'Meaning'];
  const tables = configurationPage.split(/^### /m).filter((part) => part.includes('| Variable '));
  const names = tables.flatMap((table) => readCodes(readColumn(table, head)));
  const defaults = tables.flatMap((table) => readColumn(table, head, 1)).map((cell) => cell.replaceAll('`', ''));
  const explained = Object.fromEntries(names.map((name, index) => [name, defaults[index]]));
  expect(explained).toEqual(parseEnv(read('.env.example')));
  expect(names.toSorted()).toEqual(Object.keys(variables.shape).sort());
});

test('the configuration page shows every setting of a repository, in a file without a mistake', () => {
  const file = /^```yaml\n((?:#.*\n)?base: [\s\S]*?)^```$/m.exec(configurationPage)?.[1] ?? '';
  expect(parseSettings(file).problems).toEqual([]);
  expect(findAll(file, /^(\w+):/gm)).toEqual(Object.keys(settingsSchema.shape));
});

test('the architecture page shows every folder of the source, and the folders in it', () => {
  const tree = /^```\napp\.yml[\s\S]*?^```$/m.exec(read('docs/architecture.md'))?.[0] ?? '';
  const folders = globSync(['src/*/', 'src/*/*/']).map((path) => basename(path));
  expect(folders.length).toBeGreaterThan(40);
  expect(folders.filter((folder) => !tree.includes(` ${folder}/ `))).toEqual([]);
});

test.each(papers)('%s names only source files that exist', (path) => {
  const files = globSync('{src,test,local,harness,trials,bench,examples}/**/*.ts');
  const named = findAll(read(path), /`([\w./-]+\.ts)`/g);
  expect(named.filter((name) => !files.some((file) => `/${file}`.endsWith(`/${name}`)))).toEqual([]);
});

test.each(papers)('%s names only functions and fields that the code has', (path) => {
  const foreign = ['groupConcurrency'];
  const named = findAll(read(path), /`([a-z]+[A-Z]\w+)`/g);
  expect(named.filter((name) => !code.includes(name) && !foreign.includes(name))).toEqual([]);
});

test('the API page explains every code that a run can end with, and no other', () => {
  const limits = Object.keys({ turns: true, tokens: true, seconds: true, files: true, bytes: true } satisfies Record<
    RunLimit,
    true
  >);
  /** Codes composed at run time: constant start → rests. */
  const families: Record<string, string[]> = { limit_: limits, repository_: ['archived', 'disabled'] };
  // Only these rooms end runs: the layers test keeps RunFailure in runs, and mentions say which runs end at once.
  const source = globSync('src/{jobs,runs,deliveries/mentions}/**/*.ts').map(read).join('\n');
  const before = /(?:new RunFailure\(|\bcode:)\s*/.source;
  const composed = sortedSet(findAll(source, new RegExp(`${before}\`([a-z_]+)\\$\\{`, 'g')));
  expect(composed).toEqual(Object.keys(families));

  const ofReasons = findAll(read('src/runs/failures.ts'), /^ {2}[a-z_]+: '([a-z_]+)',$/gm);
  const literal = [...findAll(source, new RegExp(`${before}'([a-z_]+)'`, 'g')), ...ofReasons];
  const whole = composed.flatMap((start) => (families[start] ?? []).map((rest) => start + rest));
  const explained = readCodes(readColumn(apiPage, ['Code', 'What happened', 'What to do']));
  expect(explained.toSorted()).toEqual(sortedSet([...literal, ...whole]));
});

test('the monitor page explains every metric, and every alarm on them', () => {
  const metrics = findAll(globSync('src/metrics/*.ts').map(read).join('\n'), /'(pagewright_[a-z_]+)'/g);
  const explained = readCodes(readColumn(monitorPage, ['Metric', 'Labels', 'Shared', 'Means']));
  expect(metrics.length).toBeGreaterThan(20);
  expect(explained.toSorted()).toEqual(sortedSet(metrics));

  const rules = read('deploy/alerts.yml');
  const alarms = findAll(rules, /- alert: (\w+)/g);
  expect(alarms).toEqual(readCodes(readColumn(monitorPage, ['Alarm', 'Means', 'What to do'])));
  const watched = findAll(rules, /\b(pagewright_[a-z_]+)/g).map((name) => name.replace(/_(?:count|sum|bucket)$/, ''));
  expect(watched.filter((name) => !metrics.includes(name))).toEqual([]);

  const watchedCodes = /pagewright_runs_ended_total\{code=~"([a-z_|]+)"\}/.exec(rules)?.[1] ?? '';
  expect(watchedCodes.split('|')).toEqual(alarmingCodes);
  expect(readCodes(readColumn(read('docs/operations/troubleshoot.md'), ["The alarm's `code`", 'Check']))).toEqual(
    alarmingCodes,
  );
});

test('every query of the docs runs on our tables', async () => {
  await using made = await createTestDatabase();
  const questions = papers.flatMap((path) => findAll(read(path), /^```sql\n([\s\S]*?)^```$/gm));
  expect(questions).toHaveLength(2);
  for (const question of questions) expect((await sql.raw(question).execute(made.database)).rows).toEqual([]);
});

test('the API page explains every kind of problem that the API answers with', () => {
  const statuses = readColumn(apiPage, ['Status', '`type` ends in', 'Meaning']);
  const kinds = readCodes(readColumn(apiPage, ['Status', '`type` ends in', 'Meaning'], 1));
  const meanings = readColumn(apiPage, ['Status', '`type` ends in', 'Meaning'], 2);
  const explained = kinds.map((kind, index) => [kind, Number(statuses[index])]);
  expect(explained).toEqual(Object.entries(httpProblemKinds).map(([kind, { status }]) => [kind, status]));
  expect(meanings).toEqual(kinds.map((kind) => Object.entries(problemMeanings).find(([name]) => name === kind)?.[1]));
});

test('the pages of operations quote only log lines that exist', () => {
  const source = globSync('src/**/*.ts').map(read).join('\n');
  const foreign = ['server version mismatch'];
  const quoted = globSync('docs/operations/*.md').flatMap((path) =>
    findAll(read(path), /`(?!npm |npx )([a-z][a-z’]*(?: [a-z’]+){2,})`/gi),
  );
  expect(quoted.length).toBeGreaterThan(20);
  expect(quoted.filter((line) => !source.includes(`'${line}'`) && !foreign.includes(line))).toEqual([]);
});

test('the monitor page explains every warning and error in the log', () => {
  const source = globSync('src/**/*.ts').map(read).join('\n');
  const logged = findAll(source, /\blog\??\.(?:warn|error|fatal)\([^;]*?, '([^']+)',?\s*\)/g);
  const explained = readCodes(readColumn(monitorPage, ['`level`', '`msg`', 'Means'], 1));
  expect(logged.length).toBeGreaterThan(10);
  expect(logged.filter((message) => !explained.includes(message))).toEqual([]);
  expect(explained.filter((message) => !source.includes(`'${message}'`))).toEqual([]);
});
