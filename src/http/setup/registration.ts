import { appManifest } from '../../config/app-manifest.ts';
import { callbackPath, isLoopbackUrl, webhookPath } from '../../config/urls.ts';

/** The form of `/setup`: the owner and name of the new App. `organization` is empty for a personal account. */
interface Registration {
  owner: 'account' | 'organization';
  organization: string;
  name: string;
}

export interface RegistrationForm {
  registration: Registration;
  /** A sentence per invalid field. */
  problems: { organization?: string; name?: string };
}

/** https://docs.github.com/en/apps/creating-github-apps/registering-a-github-app/registering-a-github-app */
const maxNameLength = 34;

const readText = (value: unknown) => (typeof value === 'string' ? value.trim() : '');

export function parseRegistration(query: Record<string, unknown>): RegistrationForm {
  const owner = query.owner === 'organization' ? 'organization' : 'account';
  const registration = { owner, organization: readText(query.organization), name: readText(query.name) } as const;
  const isLogin = /^[a-z\d][a-z\d-]{0,38}$/i.test(registration.organization);
  const isName = /^\P{C}+$/u.test(registration.name) && registration.name.length <= maxNameLength;
  return {
    registration,
    problems: {
      ...(owner === 'organization' && !isLogin
        ? { organization: 'Enter the organization’s login, as in its URL on GitHub: letters, digits and hyphens.' }
        : {}),
      ...(isName ? {} : { name: `Enter a name of 1 to ${maxNameLength} characters.` }),
    },
  };
}

export type Manifest = ReturnType<typeof createManifest>;

/**
 * The manifest of the App: app.yml with this service's URLs. GitHub redirects the browser to `redirectUrl` with the code.
 * https://docs.github.com/en/apps/sharing-github-apps/registering-a-github-app-from-a-manifest
 */
export const createManifest = ({
  name,
  baseUrl,
  redirectUrl,
}: {
  name: string;
  baseUrl: string;
  redirectUrl: string;
}) => ({
  ...appManifest,
  name,
  url: baseUrl,
  hook_attributes: { url: `${baseUrl}${webhookPath}`, active: true },
  redirect_url: redirectUrl,
  callback_urls: [`${baseUrl}${callbackPath}`],
  setup_url: `${baseUrl}/setup/installed`,
});

/** github.com and GHE.com: unlike an Enterprise Server, they reach only the public internet, and have other paths. */
const isCloud = (webUrl: string) => /(^|\.)(github\.com|ghe\.com)$/.test(new URL(webUrl).hostname);

/** The page to install the App. A GitHub on a loopback address has the paths of github.com: it is a stand-in for tests. */
export function formatInstallUrl({ webUrl, slug }: { webUrl: string; slug: string }): string {
  const folder = isCloud(webUrl) || isLoopbackUrl(webUrl) ? 'apps' : 'github-apps';
  return `${webUrl}/${folder}/${encodeURIComponent(slug)}/installations/new`;
}

const formatSettingsUrl = ({ webUrl, organization }: { webUrl: string; organization: string | null }) =>
  organization === null
    ? `${webUrl}/settings/apps`
    : `${webUrl}/organizations/${encodeURIComponent(organization)}/settings/apps`;

/**
 * The page that a manifest is posted to, for an organization or the user's own account (null).
 * https://docs.github.com/en/apps/sharing-github-apps/registering-a-github-app-from-a-manifest
 */
export const formatRegistrationUrl = (target: { webUrl: string; organization: string | null; state: string }) =>
  `${formatSettingsUrl(target)}/new?state=${encodeURIComponent(target.state)}`;

/** Whether GitHub cannot deliver webhooks to PUBLIC_URL (null: not set). */
export const isUrlOutOfReach = ({ webUrl, publicUrl }: { webUrl: string; publicUrl: string | null }) =>
  isCloud(webUrl) && (publicUrl === null || isLoopbackUrl(publicUrl));
