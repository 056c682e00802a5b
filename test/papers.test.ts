import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import packageJson from '../package.json' with { type: 'json' };
import type { Limit } from '../src/agent/budget.ts';
import { variables } from '../src/config/config.ts';
import { webhookPath } from '../src/config/webhook-path.ts';
import { jobSchema } from '../src/http/api/resource-schemas.ts';
import { problemKinds } from '../src/http/problem.ts';
import { events } from '../src/http/webhooks/app.ts';
import { alarmingCodes } from '../src/metrics/readings.ts';
import { createTestDatabase } from './support/database.ts';

const papers = globSync(['*.md', 'docs/**/*.md']).sort();
const read = (path: string) => readFileSync(path, 'utf8');
const readme = read('README.md');
const appYml = read('app.yml');

const findAll = (text: string, pattern: RegExp) => [...text.matchAll(pattern)].map(([, found]) => found ?? '');
const sortedSet = (names: Iterable<string>) => [...new Set(names)].sort();

const readCells = (row: string) =>
  row
    .trim()
    .slice(1, -1)
    .split('|')
    .map((cell) => cell.trim());

/** The cells of a column below its head; the table is known by all of its heads. */
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

const registeredEvents = readBlock('default_events').map((line) => line.replace(/^- /, ''));

test.each(papers)('%s names only npm scripts that exist', (path) => {
  const text = read(path);
  const named = [...findAll(text, /npm run (?:-s )?([a-z]+)/g), ...findAll(text, /npm (start|test)\b/g)];
  expect(named.filter((name) => !Object.hasOwn(packageJson.scripts, name))).toEqual([]);
});

test.each([...papers, '.ci/run'])('%s names only variables that the configuration reads', (path) => {
  // The last is glibc's.
  const known = [...Object.keys(variables.shape), 'TEST_DATABASE_URL', 'MALLOC_ARENA_MAX'];
  const named = findAll(read(path), /(?<![\w-])([A-Z]+(?:_[A-Z]+)+)(?![\w-])/g);
  // `RUN_MAX_…` stands for all that begin so.
  const isKnown = (name: string) => known.some((variable) => variable === name || variable.startsWith(`${name}_`));
  expect(named.filter((name) => !isKnown(name))).toEqual([]);
});

test.each(papers)('%s links only to files and headings that exist', (path) => {
  const links = findAll(read(path), /\]\((?!https?:)([^)]+)\)/g);
  const broken = links.filter((link) => {
    const [file = '', anchor] = link.split('#');
    const target = file === '' ? path : join(dirname(path), file);
    if (!existsSync(target)) return true;
    const slugs = anchor ? findAll(read(target), /^#+ (.+)$/gm).map((heading) => heading.toLowerCase()) : [];
    return anchor !== undefined && !slugs.some((slug) => slug.replaceAll(' ', '-') === anchor);
  });
  expect(broken).toEqual([]);
});

test('the README shows the demo and the tests as whole commands', () => {
  expect(readme).toContain('\nnpm ci && npm run demo\n');
  expect(readme).toContain('\nnpm ci && npm test\n');
});

test('the README and app.yml ask for the same permissions', () => {
  const head = ['Permission', 'Level', 'Reason'];
  const levels = readColumn(readme, head, 1);
  const asked = readCodes(readColumn(readme, head)).map((name, index) => `${name}: ${levels[index]}`);
  expect(readBlock('default_permissions')).toEqual(asked);
});

test('the README, app.yml and the Probot application name the same events', () => {
  const heard = events.map((event) => event.split('.')[0] ?? '').filter((name) => !name.startsWith('installation'));
  expect(sortedSet(registeredEvents)).toEqual(sortedSet(heard));
  expect(readCodes(readColumn(readme, ['Event', 'Reason']))).toEqual(registeredEvents);
});

test('the README and app.yml send webhooks to where they are received', () => {
  expect(readme).toContain(`https://YOUR-HOST${webhookPath}`);
  expect(readBlock('hook_attributes')[0]).toMatch(new RegExp(`^url: https://[^/]+${webhookPath}$`));
});

test('the README names the fields of a job', () => {
  const named = readCodes(readColumn(readme, ['Field', '']));
  expect(named).toEqual(Object.keys(jobSchema.shape));
});

test('the README shows every folder of the source', () => {
  const folders = sortedSet(globSync('*/', { cwd: 'src' }).map((name) => name.replace(/\/$/, '')));
  expect(folders.filter((folder) => !readme.includes(` ${folder}/ `))).toEqual([]);
});

test('the operations page explains every code that a run can end with, and no other', () => {
  const limits = Object.keys({ turns: true, tokens: true, seconds: true, files: true, bytes: true } satisfies Record<
    Limit,
    true
  >);
  /** Codes that are put together where they are used: what comes after the constant part. */
  const families: Record<string, string[]> = { limit_: limits, repository_: ['archived', 'disabled'] };
  const source = globSync('src/{agent,git,github,jobs,runs,workspace}/**/*.ts').map(read).join('\n');
  const given = /(?:new RunFailure\(|\bcode:)\s*/.source;
  const composed = sortedSet(findAll(source, new RegExp(`${given}\`([a-z_]+)\\$\\{`, 'g')));
  expect(composed).toEqual(Object.keys(families));

  const literal = findAll(source, new RegExp(`${given}'([a-z_]+)'`, 'g'));
  const ofModels = findAll(/type FinalCode = ([^;]+);/.exec(source)?.[1] ?? '', /'([a-z_]+)'/g);
  const whole = composed.flatMap((start) => (families[start] ?? []).map((rest) => start + rest));
  const explained = readCodes(readColumn(read('docs/operations.md'), ['Code', 'What happened', 'What to do']));
  expect(explained.toSorted()).toEqual(sortedSet([...literal, ...ofModels, ...whole]));
});

test('the operations page explains every metric, and every alarm on them', () => {
  const operations = read('docs/operations.md');
  const metrics = findAll(globSync('src/metrics/*.ts').map(read).join('\n'), /'(pagewright_[a-z_]+)'/g);
  const explained = readCodes(readColumn(operations, ['Metric', 'Labels', 'Shared', 'Means']));
  expect(metrics.length).toBeGreaterThan(20);
  expect(explained.toSorted()).toEqual(sortedSet(metrics));

  const rules = /^groups:\n[\s\S]*?^```$/m.exec(operations)?.[0] ?? '';
  const alarms = findAll(rules, /- alert: (\w+)/g);
  expect(alarms).toEqual(readCodes(readColumn(operations, ['Alarm', 'Means', 'What to do'])));
  const watched = findAll(rules, /\b(pagewright_[a-z_]+)/g).map((name) => name.replace(/_(?:count|sum|bucket)$/, ''));
  expect(watched.filter((name) => !metrics.includes(name))).toEqual([]);

  const watchedCodes = /pagewright_runs_ended_total\{code=~"([a-z_|]+)"\}/.exec(rules)?.[1] ?? '';
  expect(watchedCodes.split('|')).toEqual(alarmingCodes);
  expect(readCodes(readColumn(operations, ["The alarm's `code`", 'Look at']))).toEqual(alarmingCodes);
});

test('what the operations page asks the database can be asked of our tables', async () => {
  await using made = await createTestDatabase();
  const questions = findAll(read('docs/operations.md'), /^```sql\n([\s\S]*?)^```$/gm);
  expect(questions).toHaveLength(2);
  for (const question of questions) expect((await sql.raw(question).execute(made.database)).rows).toEqual([]);
});

test('the README explains every kind of problem that the API answers with', () => {
  const statuses = readColumn(readme, ['Status', '`type` ends in', 'Meaning']);
  const kinds = readCodes(readColumn(readme, ['Status', '`type` ends in', 'Meaning'], 1));
  const explained = kinds.map((kind, index) => [kind, Number(statuses[index])]);
  expect(explained).toEqual(Object.entries(problemKinds).map(([kind, { status }]) => [kind, status]));
});

test('the operations page explains every warning and error in the log', () => {
  const source = globSync('src/**/*.ts').map(read).join('\n');
  const logged = findAll(source, /\blog\??\.(?:warn|error|fatal)\([^;]*?, '([^']+)',?\s*\)/g);
  const explained = readCodes(readColumn(read('docs/operations.md'), ['`level`', '`msg`', 'Means'], 1));
  expect(logged.length).toBeGreaterThan(10);
  expect(logged.filter((message) => !explained.includes(message))).toEqual([]);
  expect(explained.filter((message) => !source.includes(`'${message}'`))).toEqual([]);
});
