// Writes github-description.json: what the tests of this folder need of GitHub's description. The published package has 400 MB, most of
// it prose, copies and other products. Run it when `published`, `wantedPath` or the events change: node test/description/take-description.ts
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { z } from 'zod';
import { events } from '../../src/deliveries/events.ts';
import { descriptionFile } from './read-description.ts';
import { isSchema, type Schema } from './to-json-schema.ts';

const published = '@octokit/openapi@23.0.2';
const wantedPath =
  /^\/(app|installation|users\/{username}$|repos\/{owner}\/{repo}($|\/(collaborators|contents|git|installation|issues|pulls|releases|rules|check-runs|commits\/{ref}\/(check-runs|status)$|actions\/jobs\/{job_id}\/logs)))/;
// The stand-in also sends the event `create`.
const wantedWebhooks = [...events.map(({ name }) => name), 'create'].map((name) => name.replaceAll('_', '-'));
const prose = new Set(['description', 'summary', 'title', 'tags', 'example', 'examples', 'externalDocs', 'x-github']);

const named = z.record(z.string(), z.unknown());
const publishedSchema = z.object({ paths: named, 'x-webhooks': named, components: z.record(z.string(), named) });

function download(): z.infer<typeof publishedSchema> {
  const directory = mkdtempSync(join(tmpdir(), 'pagewright-description-'));
  try {
    const options = { cwd: directory, encoding: 'utf8' } as const;
    const archive = execFileSync('npm', ['pack', '--silent', published], options).trim();
    const file = 'package/generated/api.github.com.json';
    execFileSync('tar', ['-xzf', archive, file], options);
    return publishedSchema.parse(JSON.parse(readFileSync(join(directory, file), 'utf8')));
  } finally {
    rmSync(directory, { recursive: true });
  }
}

/** What `properties` holds are names of fields, `description` among them. */
function withoutProse(value: unknown, holdsFields = false): unknown {
  if (Array.isArray(value)) return value.map((each) => withoutProse(each));
  if (!isSchema(value)) return value;
  const kept = Object.entries(value).filter(([name]) => holdsFields || !prose.has(name));
  return Object.fromEntries(
    kept.map(([name, each]) => [name, withoutProse(each, !holdsFields && name === 'properties')]),
  );
}

function keep(entries: Schema, isWanted: (name: string) => boolean): Schema {
  const wanted = Object.entries(entries).filter(([name]) => isWanted(name));
  return Object.fromEntries(wanted.map(([name, value]) => [name, withoutProse(value)]));
}

const whole = download();
const paths = keep(whole.paths, (path) => wantedPath.test(path));
const webhooks = keep(whole['x-webhooks'], (name) =>
  wantedWebhooks.some((wanted) => name === wanted || name.startsWith(`${wanted}-`)),
);
const components: Record<string, Schema> = {};
collectComponents([paths, webhooks]);

/** What the value refers to, directly or through others. */
function collectComponents(value: unknown): void {
  if (typeof value !== 'object' || value === null) return;
  for (const each of Object.values(value)) collectComponents(each);
  const reference = '$ref' in value ? value.$ref : undefined;
  if (typeof reference !== 'string') return;
  const [, , kind = '', name = ''] = reference.split('/');
  components[kind] ??= {};
  if (name in components[kind]) return;
  components[kind][name] = withoutProse(whole.components[kind]?.[name]);
  collectComponents(components[kind][name]);
}

/** One line for each entry, so that an update shows what GitHub changed. */
function format(entries: Schema): string {
  const lines = Object.entries(entries).map(([name, value]) => `${JSON.stringify(name)}: ${JSON.stringify(value)}`);
  return `{\n${lines.join(',\n')}\n}`;
}

const sections = Object.keys(components).map((kind) => {
  const sorted = Object.entries(components[kind] ?? {}).toSorted(([a], [b]) => (a < b ? -1 : 1));
  return `"${kind}": ${format(Object.fromEntries(sorted))}`;
});
const content = [
  `"from": "${published}"`,
  `"paths": ${format(paths)}`,
  `"x-webhooks": ${format(webhooks)}`,
  `"components": {\n${sections.join(',\n')}\n}`,
];
writeFileSync(descriptionFile, `{\n${content.join(',\n')}\n}\n`);
