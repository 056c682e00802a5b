import { waitingFeatures } from '../config/app-manifest.ts';
import { webhookPath } from '../config/urls.ts';
import type { GitHubApp } from '../github/auth/app.ts';
import type { SignInCredentialsState } from '../github/auth/user-authorization.ts';
import { AppKeyRefused, GitHubUnavailable } from '../github/refusals/errors.ts';
import { broken, describeCause, findRemedy, type HealthCheck, ok, warning } from './finding.ts';

/** `isOperatorAsking`: the service waits for a GitHub that is down; an operator has to correct something. */
export const createAppCheck = (
  { readApp }: { readApp: GitHubApp['readApp'] },
  { isOperatorAsking }: { isOperatorAsking: boolean },
): HealthCheck<'github_app'> => ({
  part: 'github_app',
  find: (signal) =>
    readApp(signal).then(
      () => ok('GitHub accepts the App’s key'),
      (error: unknown) => {
        if (error instanceof AppKeyRefused)
          return broken(
            `GitHub refuses the App’s key: ${error.message}`,
            'Check APP_ID, PRIVATE_KEY and the clock of this machine.',
          );
        if (!isOperatorAsking || !(error instanceof GitHubUnavailable)) throw error;
        return broken(
          `GitHub does not answer (${describeCause(error)})`,
          findRemedy(error) ?? 'Check GITHUB_API_URL, and the network to it: DNS, firewall, HTTPS_PROXY and NO_PROXY.',
        );
      },
    ),
});

export const createPermissionsCheck = ({
  readApp,
}: {
  readApp: GitHubApp['readApp'];
}): HealthCheck<'github_permissions'> => ({
  part: 'github_permissions',
  after: 'github_app',
  async find(signal) {
    const { missing } = await readApp(signal);
    if (missing.length === 0) return ok('the App has its permissions');
    const report = missing.every(isLater) ? warning : broken;
    return report(
      `The App lacks ${missing.join(', ')}${describeWaiting(missing)}`,
      'Grant them in its settings on GitHub, then accept them for each installation.',
    );
  },
});

/** A permission, as `name=level`, or an event that only newer features need. */
const isLater = (missing: string): boolean => waitingFor(missing) !== undefined;

const waitingFor = (missing: string): string | undefined => waitingFeatures[missing.split('=', 1)[0] ?? ''];

function describeWaiting(missing: readonly string[]): string {
  const features = [...new Set(missing.flatMap((each) => waitingFor(each) ?? []))];
  return features.length === 0 ? '' : `, so these do not work yet: ${features.join('; ')}`;
}

export const createInstallationsCheck = (github: {
  describeInstallations: GitHubApp['describeInstallations'];
}): HealthCheck => ({
  part: 'installations',
  after: 'github_app',
  async find(signal) {
    const { app, installations } = await github.describeInstallations(signal);
    const { events } = app.missing;
    if (events.length > 0) {
      const report = events.every(isLater) ? warning : broken;
      const what = `the App does not receive ${events.join(', ')}${describeWaiting(events)}`;
      return report(what, `Subscribe to them at ${app.url}`);
    }
    if (installations.length === 0)
      return warning('the App is not installed anywhere', 'Install it on a repository; /setup has the link.');
    const behind = installations.filter(
      ({ isSuspended, missing }) => isSuspended || missing.permissions.length + missing.events.length > 0,
    );
    const [first] = behind;
    if (first === undefined) return ok(`the App is installed on ${countOf(installations.length, 'account')}`);
    // Without a permission that jobs need, each job there fails; the jobs of a suspended one wait.
    const [useless] = behind.filter(({ missing }) => !missing.permissions.every(isLater));
    const shown = useless ?? first;
    const lacking = [...shown.missing.permissions, ...shown.missing.events];
    const what = shown.isSuspended ? 'is suspended' : `was not given ${lacking.join(', ')}${describeWaiting(lacking)}`;
    const others = behind.length > 1 ? `, and ${behind.length - 1} more` : '';
    const report = useless ? broken : warning;
    return report(`the installation on ${shown.account} ${what}${others}`, `An owner corrects it at ${shown.url}`);
  },
});

/** Pagewright's answer to a webhook with another signature. A proxy with a login answers so, too, and is told by its own check. */
const wronglySigned = 401;

const dayMs = 24 * 3_600_000;

/** Whether GitHub reaches the service, by GitHub's record of the last webhooks. */
export const createWebhooksCheck = ({
  github,
  publicUrl,
}: {
  github: { fetchWebhookUrl: GitHubApp['fetchWebhookUrl']; listDeliveries: GitHubApp['listDeliveries'] };
  publicUrl: string | null;
}): HealthCheck => ({
  part: 'webhooks',
  after: 'github_app',
  async find(signal) {
    const url = await github.fetchWebhookUrl(signal);
    const wanted = publicUrl === null ? undefined : `${publicUrl}${webhookPath}`;
    if (url !== undefined && wanted !== undefined && url !== wanted)
      return broken(`GitHub sends webhooks to ${url}`, `Set the App’s webhook URL to ${wanted}, or change PUBLIC_URL.`);
    const pages = github.listDeliveries({ since: new Date(Date.now() - dayMs), signal });
    const first = await pages.next();
    const deliveries = first.done ? [] : first.value.deliveries;
    const failed = deliveries.filter(({ isSuccess }) => !isSuccess).length;
    const [last] = deliveries;
    if (last === undefined)
      return warning(
        'GitHub has sent no webhook for a day',
        'Install the App on a repository, or comment on a pull request, and look again.',
      );
    const sum = `${failed} of the last ${countOf(deliveries.length, 'webhook')} failed`;
    if (last.status === wronglySigned)
      return broken(
        `Pagewright refuses the webhooks of GitHub: they are not signed with its webhook secret; ${sum}`,
        'Set WEBHOOK_SECRET, or the secret in the App’s settings on GitHub, so that both are the same.',
      );
    if (!last.isSuccess)
      return broken(
        `the last webhook failed: ${last.status === 0 ? 'no answer' : `status ${last.status}`}; ${sum}`,
        'See the App’s settings on GitHub, Advanced, Recent Deliveries. The proxy must pass the path to Pagewright as it is.',
      );
    return failed > 0
      ? warning(sum, 'Pagewright asks for them again. Check whether it or the proxy was down.')
      : ok(sum);
  },
});

const countOf = (count: number, what: string) => `${count} ${what}${count === 1 ? '' : 's'}`;

/** Whether people can sign in. `checkCredentials` null: neither the client id nor its secret is set. */
export const createSignInCheck = (
  checkCredentials: ((signal: AbortSignal) => Promise<SignInCredentialsState>) | null,
): HealthCheck => ({
  part: 'sign_in',
  async find(signal) {
    if (checkCredentials === null)
      return warning(
        'nobody can sign in to the dashboard',
        'Set GITHUB_CLIENT_ID and GITHUB_CLIENT_SECRET, from the App’s settings on GitHub.',
      );
    const state = await checkCredentials(signal);
    if (state === 'accepted') return ok('GitHub accepts the client secret');
    if (state === 'unknown')
      return warning('GitHub did not say whether the client secret is right', 'Sign in to the dashboard.');
    return broken(
      'GitHub refuses the client id or the client secret, so nobody can sign in',
      'Generate a new client secret in the App’s settings on GitHub, and set GITHUB_CLIENT_ID and GITHUB_CLIENT_SECRET.',
    );
  },
});
