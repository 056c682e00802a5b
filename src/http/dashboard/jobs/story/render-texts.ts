import { readRunAnswer } from '../../../../jobs/run-answer.ts';
import type { Project } from '../../../../store/tables/repositories/projects.ts';
import type { DashboardParts } from '../../dashboard-parts.ts';
import { nameProject } from '../../frame/project-links.ts';
import type { Story } from './read-story.ts';
import { type Prose, renderProse } from './render-markdown.ts';

/** Renders the Markdown of a job's page. Addresses of files lead to the job's commit on GitHub. */
export function renderTextsOf(
  { messages, runs, turns, job }: Story,
  project: Project,
  options: { config: DashboardParts['config']; runTask: DashboardParts['runTask']; signal: AbortSignal },
): Promise<Prose> {
  const { config, runTask, signal } = options;
  const texts = [...messages.map(({ prompt }) => prompt), ...runs.map(readRunAnswer), ...turns.map(({ text }) => text)];
  const commit = runs.findLast(({ commit_sha: sha }) => sha !== null)?.commit_sha;
  const filesUrl = `${config.github.webUrl}/${nameProject(project)}/blob/${commit ?? encodeURIComponent(job.base)}`;
  return renderProse({ texts: texts.filter((text) => text !== null), filesUrl }, { runTask, signal });
}
