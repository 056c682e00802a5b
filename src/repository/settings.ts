import { z } from 'zod';
import { problemKindNames } from '../docs/problem-kinds.ts';
import { findNearestName } from '../find-nearest-name.ts';
import { automationsShape } from './automation-shapes.ts';
import {
  branch,
  context,
  documentation,
  isStorable,
  label,
  lineOfText,
  list,
  notStorable,
  path,
  preview,
  reviewer,
  settingMustBe,
} from './setting-shapes.ts';
import { readSettingsYaml, type YamlEntry } from './settings-yaml.ts';

export const settingsPath = '.github/pagewright.yml';

const maxBytes = 65_536;
const maxProblems = 10;
const mustBeRounds = 'must be a whole number from 0 to 10';

const yesOrNo = z.boolean({ error: 'must be true or false' });

/** Descriptions are for editors, by `createSettingsJsonSchema`. */
export const settingsSchema = z.object({
  base: branch
    .nullable()
    .default(null)
    .describe('The branch where jobs start, and the target of their pull requests. Default: the default branch.'),
  /** null: the service's default. The service may not offer this model. */
  model: lineOfText('a model name', 100)
    .nullable()
    .default(null)
    .describe('The model to use, if the service offers it. Default: that of the service.'),
  draft: yesOrNo.default(false).describe('Whether to open pull requests as drafts.'),
  comments: z
    .enum(['all', 'mention', 'off'], { error: 'must be one of: all, mention, off' })
    .default('all')
    .describe('Which comments are instructions: all, only those with a mention of the App, or none but "stop".'),
  mentions: z
    .enum(['all', 'off'], { error: 'must be one of: all, off' })
    .default('all')
    .describe('Whether a mention of the App on an issue, or on a pull request of somebody else, starts work.'),
  /** Globs of the pages and navigation files that the agent may change; null: all of them. */
  paths: list(path, 'globs', { least: 1, most: 100 })
    .nullable()
    .default(null)
    .describe('Globs of the only pages and navigation files that the agent may change. Default: all of them.'),
  /** Globs of style sheets, data and texts that the agent may change in addition. */
  also: list(path, 'globs', { most: 100 })
    .default([])
    .describe('Globs of style sheets, data and texts that the agent may change, too.'),
  generated: z
    .union([z.literal('off'), list(path, 'globs', { most: 100 })], { error: 'must be a list of globs, or off' })
    .default([])
    .describe('Globs of more files that programs write: the agent leaves them. off: no file counts as such.'),
  instructions: z
    .string({ error: settingMustBe('a text') })
    .trim()
    .refine((text) => text.length <= 20_000, 'must have at most 20,000 characters')
    .refine(isStorable, notStorable)
    .nullable()
    .default(null)
    .describe('Writing rules for the agent.'),
  /** Whether instructions by API are quoted; null: only in private repositories. */
  quote: z
    .enum(['always', 'never'], { error: 'must be one of: always, never' })
    .nullable()
    .default(null)
    .describe('Whether the pull request quotes instructions by API. Default: only in private repositories.'),
  labels: list(label, 'labels', { most: 20 }).default([]).describe('Labels of the pull request.'),
  /** Logins, and teams as `organization/team`. */
  reviewers: list(reviewer, 'logins or teams', { most: 15 })
    .default([])
    .describe('Whom to ask for a review: logins, and teams as organization/team.'),
  also_to: list(branch, 'branches', { most: 10 })
    .default([])
    .describe('Branches of other versions: a merged change is made there, too, each in a pull request of its own.'),
  sign_off: yesOrNo
    .default(false)
    .describe('Whether commits have a Signed-off-by of the App, as the Developer Certificate of Origin asks.'),
  co_authors: yesOrNo.default(true).describe('Whether commits credit the people whose comments they answer.'),
  fix_checks: z
    .int({ error: mustBeRounds })
    .min(0, mustBeRounds)
    .max(10, mustBeRounds)
    .default(2)
    .describe('How often runs mend failing checks of their pull request until a person speaks. 0: never.'),
  checks: z
    .enum(['off', 'advise', 'require'], { error: 'must be one of: off, advise, require' })
    .default('off')
    .describe('The check run "Pagewright docs" on pull requests that touch the documentation: advise ends neutral.'),
  checks_off: list(
    z.enum(problemKindNames, { error: `must be one of: ${problemKindNames.join(', ')}` }),
    'kinds of problems',
    { most: 50 },
  )
    .default([])
    .describe('Kinds of problems that checks of the documentation leave alone: docs/check-docs.md lists all.'),
  preview: preview
    .nullable()
    .default(null)
    .describe(
      'Where to see a pull request: an address with {number}, or off. Default: as deployments and statuses say.',
    ),
  context: context.describe('Repositories that runs may read, if those consent.'),
  documentation: documentation.describe('Repositories whose runs may read this one.'),
  automations: automationsShape.describe('Standing instructions: a trigger and a prompt, by name.'),
});

export type Settings = z.output<typeof settingsSchema>;

export const defaultSettings: Settings = settingsSchema.parse({});

/** Where the settings cannot be read, and never could be: nothing may be changed, and no comment is an instruction. */
export const carefulSettings: Settings = { ...defaultSettings, comments: 'off', paths: [] };

/** null: they have not been read yet, so the defaults apply. Settings of another version that this one cannot read permit nothing. Never throws. */
export function readStoredSettings(stored: unknown): Settings {
  if (stored === null || stored === undefined) return defaultSettings;
  return settingsSchema.safeParse(stored).data ?? carefulSettings;
}

const names = Object.keys(settingsSchema.shape);

/** Never throws, and finds every mistake. With any problem the settings permit nothing: half of a file may mean the opposite of the whole. Problems are safe to publish. */
export function parseSettings(
  text: string,
  { isGlob = () => true }: { isGlob?: (glob: string) => boolean } = {},
): { settings: Settings; problems: string[] } {
  if (Buffer.byteLength(text) > maxBytes) return tooLargeSettings;
  const { entries, problems } = readSettingsYaml(text);
  // The first of two values of one name counts.
  const given = entries.toReversed().filter(({ value }) => value !== null);
  const parsed = settingsSchema.safeParse(Object.fromEntries(given.map(({ key, value }) => [key, value])));
  const found = [
    ...problems,
    ...checkNames(entries),
    ...(parsed.error?.issues.map((issue) => describeIssue(issue, entries)) ?? []),
    ...(parsed.data ? listGlobs(parsed.data) : []).flatMap(({ path, globs }) =>
      globs.flatMap((glob, index) => {
        if (isGlob(glob)) return [];
        const line = findLine(entries, [...path, index]);
        return [`\`${path.join('.')}\` has an invalid glob: \`${quote(glob)}\` (line ${line})`];
      }),
    ),
  ];
  return parsed.data && found.length === 0 ? { settings: parsed.data, problems: [] } : refuse(found);
}

const listGlobs = ({ paths, also, generated, automations: all }: Settings): { path: string[]; globs: string[] }[] => [
  { path: ['paths'], globs: paths ?? [] },
  { path: ['also'], globs: also },
  { path: ['generated'], globs: generated === 'off' ? [] : generated },
  ...Object.entries(all).map(([name, { on }]) => ({
    path: ['automations', name, 'on', 'paths'],
    globs: on.paths ?? [],
  })),
];

export const tooLargeSettings = refuse(['The file must not exceed 64 KiB']);
export const tooSlowSettings = refuse(['The file takes too long to read: make it simpler']);

function refuse(problems: string[]) {
  const more = problems.length - maxProblems;
  const shown = problems.slice(0, maxProblems);
  return { settings: carefulSettings, problems: more > 0 ? [...shown, `${more} more problems`] : shown };
}

function checkNames(entries: YamlEntry[]): string[] {
  const firstLines = new Map<string, number>();
  const unknown = entries.filter(({ key }) => !names.includes(key));
  return entries.flatMap(({ key, value, line }) => {
    const first = firstLines.get(key);
    if (first !== undefined) return [`\`${quote(key)}\` appears twice (lines ${first} and ${line})`];
    firstLines.set(key, line);
    if (!names.includes(key)) {
      const isLast = unknown.at(-1)?.key === key;
      return [`\`${quote(key)}\` is not a setting${suggestName(key, isLast)} (line ${line})`];
    }
    return value === null ? [`\`${key}\` has no value: add one or remove the setting (line ${line})`] : [];
  });
}

/** All names are listed once. */
function suggestName(key: string, isLast: boolean): string {
  const nearest = findNearestName(key, names);
  if (nearest) return `; did you mean \`${nearest}\`?`;
  return isLast ? `; the settings are ${names.join(', ')}` : '';
}

const findLine = (entries: readonly YamlEntry[], [name, ...inside]: readonly PropertyKey[]): number | undefined =>
  entries.find(({ key }) => key === name)?.lineAt(inside);

function describeIssue(issue: z.core.$ZodIssue, entries: YamlEntry[]): string {
  const {
    path: [name, ...inside],
    message,
  } = issue;
  const unknown = issue.code === 'unrecognized_keys' ? issue.keys.slice(0, 1) : [];
  const line = findLine(entries, [...issue.path, ...unknown]);
  return `${describePlace(String(name), inside)} ${message} (line ${line})`;
}

/** `ref` of an item of `context`. */
function describePlace(name: string, inside: readonly PropertyKey[]): string {
  const steps = [name, ...inside.map((step) => (typeof step === 'number' ? step : quote(String(step))))];
  const said = steps.reduce<string>((place, step, index) => {
    if (index === 0) return `\`${step}\``;
    return typeof step === 'number' ? `an item of ${place}` : `\`${step}\` of ${place}`;
  }, '');
  return said.startsWith('an ') ? `An ${said.slice(3)}` : said;
}

/** Keeps letters, digits and a few signs, which cannot end a code span or hide text. */
function quote(text: string): string {
  return text.slice(0, 40).replace(/[^\p{L}\p{N} _./*{},-]/gu, '?') || '?';
}
