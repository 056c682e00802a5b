import { findFilesAt, type ReadFile } from '../../git/find-files-at.ts';
import type { Mirror } from '../../git/mirrors/mirrors.ts';
import { readSettings } from '../../projects/read-settings.ts';
import { instructionPaths, pullRequestTemplatePaths } from '../../repository/guidance-paths.ts';
import { type Settings, settingsPath } from '../../repository/settings.ts';
import { type Project, storeSettings } from '../../store/tables/projects.ts';
import { bound } from '../../text/bound.ts';
import { stripHidden } from '../../text/strip-hidden.ts';
import type { RunContext } from '../run-context.ts';
import type { Guidance, GuidanceFile } from './checkout.ts';

const maxLength = 20_000;

/** Reads the default branch: the agent writes the job's branch, and another base may be outdated. Stores the settings with the project. */
export async function readGuidance(
  { parts: { database, git, models }, signals: { work: signal } }: RunContext,
  {
    project,
    mirror,
    readAt,
  }: {
    project: Project;
    mirror: Mirror;
    /** A moment before the mirror was fetched, by the database's clock. */
    readAt: Date;
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
  const sources = [rules, pullRequestTemplate].flatMap((file) => file?.path ?? []);
  return {
    settings,
    problems: describeProblems(parsed, models),
    instructions: [...(rules ? [rules] : []), ...own],
    pullRequestTemplate,
    sources: isFollowed ? [settingsPath, ...sources] : sources,
  };
}

function describeProblems(
  { settings: { model }, problems }: { settings: Settings; problems: string[] },
  models: readonly string[],
): string[] {
  const isOffered = model === null || models.includes(model);
  return [
    ...problems,
    ...(problems.length > 0 ? ['The defaults apply until this is fixed'] : []),
    ...(isOffered
      ? []
      : [`\`model\` names ${model}, which this service does not offer. It offers ${models.join(', ')}`]),
  ].map((problem) => `${settingsPath}: ${problem}`);
}

async function readFirst(read: ReadFile, paths: readonly string[]): Promise<GuidanceFile | undefined> {
  for (const path of paths) {
    const text = await read(path);
    if (text !== undefined) return { path, text: clean(text) };
  }
  return undefined;
}

const clean = (text: string) => bound(stripHidden(text), maxLength);
