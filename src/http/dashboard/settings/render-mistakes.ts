import { settingsPath } from '../../../repository/settings.ts';
import type { Project } from '../../../store/tables/repositories/projects.ts';
import { type Html, html } from '../../pages/html.ts';
import { icon, renderCodes } from '../frame/elements.ts';
import { nameProject } from '../frame/render-page.ts';

/** The settings file on GitHub, as of this branch or commit. */
export const linkToFile = (project: Project, webUrl: string, ref = project.default_branch): string =>
  `${webUrl}/${nameProject(project)}/blob/${encodeURIComponent(ref)}/${settingsPath}`;

/** Each mistake of the settings, with a link to the line that it names. */
export const listMistakes = (project: Project, webUrl: string): Html =>
  html`<ul>${project.settings_problems.map((problem) => {
    const [place = '', line] = /\bline (\d{1,6})\b/i.exec(problem) ?? [];
    if (line === undefined) return html`<li>${renderCodes(problem)}</li>`;
    const [before = '', after = ''] = problem.split(place, 2);
    return html`<li>${renderCodes(before)}<a href="${linkToFile(project, webUrl)}#L${line}">${place}</a>${renderCodes(after)}</li>`;
  })}</ul>`;

/** What mistakes of the settings mean for jobs. */
export function renderMistakes(project: Project, webUrl: string): Html | false {
  const { settings_problems: problems, good_settings: good } = project;
  return (
    problems.length > 0 &&
    html`<div class="notice bad marked" role="note">${icon('alert')}<div>
<p><strong>${problems.length === 1 ? 'The settings have a mistake.' : `The settings have ${problems.length} mistakes.`}</strong>
${good ? 'Their last version without mistakes applies.' : 'The agent cannot change anything until someone corrects them.'}</p>
${listMistakes(project, webUrl)}</div></div>`
  );
}
