import { syncAutomations } from '../../automations/sync-automations.ts';
import { listFilesAt } from '../../git/find-files-at.ts';
import type { Mirror } from '../../git/mirrors/mirrors.ts';
import { readSettingsInThread } from '../../projects/read-repository-settings.ts';
import { pullRequestTemplatePaths } from '../../repository/guidance-paths.ts';
import { readStoredSettings, type Settings, settingsPath } from '../../repository/settings.ts';
import { sendTogether, transact } from '../../store/postgres/database.ts';
import { type Project, storeSettings } from '../../store/tables/repositories/projects.ts';
import { bound } from '../../text/bound.ts';
import { stripHiddenInThread } from '../../text/read-in-thread.ts';
import type { Guidance, GuidanceFile } from '../checkout.ts';
import { RunFailure } from '../failures.ts';
import type { RunContext } from '../run-context.ts';
import { listRules, readRules } from './read-writing-rules.ts';

const maxLength = 20_000;

/** Reads the default branch: the agent writes the job's branch, and another base may be outdated. Stores the settings with the project. */
export async function readGuidance(
  { parts: { database, git, models }, runTask, signals: { work: signal } }: RunContext,
  options: {
    project: Project;
    mirror: Mirror;
    /** A moment before the fetch of the mirror, by the database's clock. */
    readAt: Date;
  },
): Promise<Guidance> {
  const { project, mirror, readAt } = options;
  const sha = mirror.defaultSha ?? mirror.baseSha;
  const commit = { git, gitDir: mirror.directory, sha, signal };
  const { paths, read } = await listFilesAt({ ...commit, likely: listLikely });
  // Bounded first, too: hidden text may be long, and parsing takes time.
  const strip = (text: string) => stripHiddenInThread(text, runTask, signal);
  const clean = async (text: string) => bound(await strip(bound(text, 2 * maxLength)), maxLength);
  const readFirst = async (candidates: readonly string[]): Promise<GuidanceFile | undefined> => {
    for (const path of candidates) {
      const text = await clean((await read(path)) ?? '');
      // A template of comments alone is only a hint for its writers.
      if (text.trim() !== '') return { path, text };
    }
    return undefined;
  };

  const settingsText = await read(settingsPath);
  const parsed = await readSettingsInThread(settingsText, { runTask, signal });
  const { problems } = parsed;
  const valid = await transact(database, async (tx) => {
    const [stored] = await sendTogether(tx, (tx) => [
      storeSettings(tx, project.project_id, { ...parsed, sha, readAt }),
      syncAutomations(tx, project.project_id),
    ]);
    return stored;
  });
  if (problems.length > 0 && !valid) throw settingsInvalid(problems);
  const settings = problems.length > 0 ? readStoredSettings(valid?.good_settings) : parsed.settings;
  const rules = await readRules({ paths, read, strip });
  const own = settings.instructions === null ? [] : [{ path: settingsPath, text: await clean(settings.instructions) }];
  const pullRequestTemplate = await readFirst(pullRequestTemplatePaths);
  const isFollowed = settingsText !== undefined && problems.length === 0;
  const sources = [...rules.quoted.map(({ path }) => path), ...(pullRequestTemplate ? [pullRequestTemplate.path] : [])];
  return {
    settings,
    problems: describeMistakes({ settings, problems, validSha: valid?.good_settings_sha ?? null }, models),
    writingRules: [...rules.quoted, ...own],
    unread: rules.unread,
    pullRequestTemplate,
    sources: isFollowed ? [settingsPath, ...sources] : sources,
  };
}

const listLikely = (paths: readonly string[]): string[] => [
  settingsPath,
  ...pullRequestTemplatePaths,
  ...listRules(paths),
];

/** Without valid settings, nothing says which files the agent may change. */
const settingsInvalid = (problems: string[]) =>
  new RunFailure(
    'settings_invalid',
    `The settings of this repository have mistakes, and no version without mistakes is known (${settingsPath}: ${problems.join('; ')}). Correct the file, then send the instruction again.`,
  );

function describeMistakes(
  { settings: { model }, problems, validSha }: { settings: Settings; problems: string[]; validSha: string | null },
  models: readonly string[],
): string[] {
  const isOffered = model === null || models.includes(model);
  const valid =
    validSha === null ? 'The last settings without mistakes' : `The settings of commit ${validSha.slice(0, 7)}`;
  return [
    ...problems,
    ...(problems.length > 0 ? [`${valid} apply until this is fixed`] : []),
    ...(isOffered
      ? []
      : [`\`model\` names ${model}, which this service does not offer. It offers ${models.join(', ')}`]),
  ].map((problem) => `${settingsPath}: ${problem}`);
}
