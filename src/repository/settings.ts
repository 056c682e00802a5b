import { z } from 'zod';
import { findNearestName } from './find-nearest-name.ts';
import { readYaml, type YamlEntry } from './read-yaml.ts';
import { branch, isStorable, list, mustBe, path, reviewer, words } from './setting-shapes.ts';

/** Where a repository says how it wants Pagewright to work: on its default branch. */
export const settingsPath = '.github/pagewright.yml';

const maxBytes = 65_536;
const maxProblems = 10;

/** The settings of a repository, as the file gives them and as they are kept in JSON. What is left out has its default. */
export const settingsSchema = z.object({
  /** The branch that jobs start from; null: the default branch. */
  base: branch.nullable().default(null),
  /** The model that does the work; null: the service's default. Whether the service offers it is not known here. */
  model: words('the name of a model', 100).nullable().default(null),
  draft: z.boolean({ error: 'must be true or false' }).default(false),
  /** Which comments on our pull requests are instructions. */
  comments: z.enum(['all', 'mention', 'off'], { error: 'must be one of: all, mention, off' }).default('all'),
  /** Globs that narrow what the agent may change; null: everything that is not protected. */
  paths: list(path, 'globs', { least: 1, most: 100 }).nullable().default(null),
  /** Writing rules, in addition to the repository's file of them. */
  instructions: z
    .string({ error: mustBe('a text') })
    .trim()
    .refine((text) => text.length <= 20_000, 'must have at most 20,000 characters')
    .refine(isStorable, 'must not hold NUL characters or lone surrogates')
    .nullable()
    .default(null),
  labels: list(words('a label of at most 50 characters', 50), 'labels', { most: 20 }).default([]),
  /** Logins, and teams as `organisation/team`. */
  reviewers: list(reviewer, 'logins or teams', { most: 15 }).default([]),
});

export type Settings = z.output<typeof settingsSchema>;

/** The settings of a repository without a settings file. */
export const defaultSettings: Settings = settingsSchema.parse({});

const names = Object.keys(settingsSchema.shape);

/**
 * Reads the text of a settings file. Never throws: with any problem the settings are the defaults, all of them, because half of what
 * somebody asked for may be the opposite of it. Each problem is a sentence for the person who wrote the file; what it quotes of the
 * file is a line of harmless characters. `isGlob` says whether the caller's matcher can read a path of `paths`.
 */
export function parseSettings(
  text: string,
  { isGlob = () => true }: { isGlob?: (glob: string) => boolean } = {},
): { settings: Settings; problems: string[] } {
  if (Buffer.byteLength(text) > maxBytes) return tooLargeSettings;
  const { entries, problems } = readYaml(text);
  const misused = [...problems, ...judgeNames(entries)];
  if (misused.length > 0) return refuse(misused);

  const parsed = settingsSchema.safeParse(Object.fromEntries(entries.map(({ key, value }) => [key, value])));
  if (!parsed.success) return refuse(parsed.error.issues.map((issue) => describeIssue(issue, entries)));
  const unreadable = parsed.data.paths?.filter((glob) => !isGlob(glob)) ?? [];
  if (unreadable.length > 0)
    return refuse(unreadable.map((glob) => `\`paths\` holds a glob that cannot be read: \`${quote(glob)}\``));
  return { settings: parsed.data, problems: [] };
}

/** What is made of a settings file that is too large to be read. */
export const tooLargeSettings = refuse(['The file must be no larger than 64 KiB']);

function refuse(problems: string[]) {
  const more = problems.length - maxProblems;
  const shown = problems.slice(0, maxProblems);
  return { settings: defaultSettings, problems: more > 0 ? [...shown, `There are ${more} more problems`] : shown };
}

/** What is wrong with names that are no settings, are given twice, or have no value. */
function judgeNames(entries: YamlEntry[]): string[] {
  const firstLines = new Map<string, number>();
  return entries.flatMap(({ key, value, line }) => {
    const first = firstLines.get(key);
    if (first !== undefined) return [`\`${quote(key)}\` is given twice (lines ${first} and ${line})`];
    firstLines.set(key, line);
    if (!names.includes(key)) return [`\`${quote(key)}\` is not a setting${suggestName(key)} (line ${line})`];
    return value === null ? [`\`${key}\` has no value: give it one or leave it out (line ${line})`] : [];
  });
}

function suggestName(key: string): string {
  const nearest = findNearestName(key, names);
  return nearest ? `; did you mean \`${nearest}\`?` : `; there are ${names.join(', ')}`;
}

function describeIssue({ path: [name, index], message }: z.core.$ZodIssue, entries: YamlEntry[]): string {
  const entry = entries.find(({ key }) => key === name);
  const isItem = typeof index === 'number';
  const line = isItem ? entry?.itemLines[index] : entry?.line;
  return `${isItem ? 'An item of ' : ''}\`${String(name)}\` ${message} (line ${line})`;
}

/** Letters, digits and a few signs of a text, that can neither end the code span they are shown in nor hide anything. */
function quote(text: string): string {
  return text.slice(0, 40).replace(/[^\p{L}\p{N} _./*{},-]/gu, '?') || '?';
}
