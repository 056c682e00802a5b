import type { DescribedInstallations, InstallationState, Missing } from '../../github/auth/describe-installations.ts';
import { type Html, html } from '../pages/html.ts';

/** The missing permissions and events of each installation, and where to grant them, for the operator. */
export function writeInstallations({ app, installations }: DescribedInstallations): Html {
  const lacking = installations.filter((installation) => installation.isSuspended || lacks(installation.missing));
  const count = installations.length === 1 ? '1 account' : `${installations.length} accounts`;
  return html`
<h2>Installations</h2>
${
  lacks(app.missing)
    ? html`<div class="notice wrong"><p>The App was not given ${list(app.missing)}.</p>
<p>Grant them in <a href="${app.url}">the App’s settings</a>. Then each account has to accept.</p></div>`
    : ''
}
<p>${
    installations.length === 0
      ? 'The App is installed nowhere yet.'
      : `The App is installed on ${count}. ${lacking.length === 0 ? 'Each has what Pagewright needs.' : `${lacking.length} of them need attention.`}`
  }</p>
${lacking.map(writeLacking)}`;
}

const writeLacking = ({ account, url, isSuspended, missing }: InstallationState): Html => html`
<div class="notice"><h3>${account}</h3>
${
  isSuspended
    ? html`<p>Suspended: its jobs wait. Unsuspend it in <a href="${url}">the installation’s settings</a>.</p>`
    : ''
}
${
  lacks(missing)
    ? html`<p>Not given: ${list(missing)}. An owner accepts the App’s request in <a href="${url}">the installation’s settings</a>.</p>`
    : ''
}
</div>`;

const lacks = ({ permissions, events }: Missing): boolean => permissions.length + events.length > 0;

const list = ({ permissions, events }: Missing): string =>
  [
    ...(permissions.length > 0 ? [`the permissions ${permissions.join(', ')}`] : []),
    ...(events.length > 0 ? [`the events ${events.join(', ')}`] : []),
  ].join(' and ');
