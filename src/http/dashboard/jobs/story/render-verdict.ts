import type { Verdict } from '../../../../store/tables/jobs/verdicts.ts';
import { type Html, html } from '../../../pages/html.ts';
import { icon } from '../../frame/elements.ts';

/** What reviewers and GitHub's checks say of a pull request, where it is known. */
export function renderVerdict({ checks, approvedBy, wantedBy }: Verdict, checksUrl?: string): Html {
  const said = checks !== null && checkWords[checks];
  const sign = said && html`${icon(said.sign)}${said.text}`;
  const look = checks === 'failing' && ' warn';
  return html`${wantedBy.length > 0 && html`<span class="fact warn">${icon('message')}Changes requested by ${listNames(wantedBy)}</span>`}
${approvedBy.length > 0 && html`<span class="fact good">${icon('check')}Approved by ${listNames(approvedBy)}</span>`}
${sign && (checksUrl === undefined ? html`<span class="fact${look}">${sign}</span>` : html`<a class="fact${look}" href="${checksUrl}">${sign}</a>`)}`;
}

const checkWords = {
  pending: { sign: 'clock', text: 'Checks on GitHub run' },
  failing: { sign: 'cross', text: 'Checks on GitHub fail' },
  passing: { sign: 'check', text: 'Checks on GitHub passed' },
} as const;

function listNames(names: readonly string[]): string {
  const [first = '', second = '', ...more] = names;
  if (second === '') return first;
  return more.length === 0 ? `${first} and ${second}` : `${first} and ${more.length + 1} others`;
}
