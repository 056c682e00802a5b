import { isLoopbackUrl } from '../../config/urls.ts';

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
