import { findFilesAt, type ReadFile } from '../../git/find-files-at.ts';
import type { Mirror } from '../../git/mirrors/mirrors.ts';
import { readSettings } from '../../projects/read-settings.ts';
import { instructionPaths, pullRequestTemplatePaths } from '../../repository/guidance-paths.ts';
import { type Settings, settingsPath } from '../../repository/settings.ts';
import { type Project, storeSettings } from '../../store/tables/projects.ts';
import { bound } from '../../text/bound.ts';
import { withoutInvisible } from '../../text/strip-hidden.ts';
import type { RunParts } from '../run-parts.ts';

interface File {
  path: string;
  text: string;
}

/** What a repository says of how it wants the work done. */
export interface Guidance {
  settings: Settings;
  /** What is wrong with them, one sentence each, for people. */
  problems: string[];
  /** Writing rules, for the agent. */
  instructions: File[];
  pullRequestTemplate: File | undefined;
  /** The files that are gone by. */
  followed: string[];
}

const maxLength = 20_000;

/**
 * Reads it from the default branch: the job's own branch is the agent's, and another base may be long out of date. The settings are kept
 * with the project on the way.
 */
export async function readGuidance(
  { database, git, models }: RunParts,
  {
    project,
    mirror,
    readAt,
    signal,
  }: {
    project: Project;
    mirror: Mirror;
    /** A moment before the mirror was fetched, by the database's clock. */
    readAt: Date;
    signal: AbortSignal;
  },
): Promise<Guidance> {
  const sha = mirror.defaultSha ?? mirror.baseSha;
  const paths = [settingsPath, ...instructionPaths, ...pullRequestTemplatePaths];
  const read = await findFilesAt({ git, gitDir: mirror.directory, sha, paths, signal });

  const settingsText = await read(settingsPath);
  const parsed = readSettings(settingsText);
  await storeSettings(database, project.project_id, { ...parsed, readAt });
  const { settings, problems } = parsed;
  const rules = await readFirst(read, instructionPaths);
  const own = settings.instructions === null ? [] : [{ path: settingsPath, text: clean(settings.instructions) }];
  const pullRequestTemplate = await readFirst(read, pullRequestTemplatePaths);
  const isFollowed = settingsText !== undefined && problems.length === 0;
  return {
    settings,
    problems: describeProblems(parsed, models),
    instructions: [...(rules ? [rules] : []), ...own],
    pullRequestTemplate,
    followed: [
      ...(isFollowed ? [settingsPath] : []),
      ...[rules, pullRequestTemplate].flatMap((file) => file?.path ?? []),
    ],
  };
}

function describeProblems(
  { settings: { model }, problems }: { settings: Settings; problems: string[] },
  models: readonly string[],
): string[] {
  const isOffered = model === null || models.includes(model);
  return [
    ...problems,
    ...(problems.length > 0 ? ['The defaults are used until that is right'] : []),
    ...(isOffered
      ? []
      : [`\`model\` names ${model}, which this service does not offer; there are ${models.join(', ')}`]),
  ].map((problem) => `${settingsPath}: ${problem}`);
}

async function readFirst(read: ReadFile, paths: readonly string[]): Promise<File | undefined> {
  for (const path of paths) {
    const text = await read(path);
    if (text !== undefined) return { path, text: clean(text) };
  }
  return undefined;
}

const clean = (text: string) => bound(withoutInvisible(text), maxLength);
