import { isLoopbackUrl } from '../../config/is-loopback-url.ts';

/** github.com or GHE.com, which differ from an Enterprise Server in their paths and reach nothing but the public internet. */
const isCloud = (webUrl: string) => /(^|\.)(github\.com|ghe\.com)$/.test(new URL(webUrl).hostname);

/** Where people install the App. A GitHub on this very machine is taken for one like github.com: no Enterprise Server is run that way. */
export function formatInstallUrl({ webUrl, slug }: { webUrl: string; slug: string }): string {
  const folder = isCloud(webUrl) || isLoopbackUrl(webUrl) ? 'apps' : 'github-apps';
  return `${webUrl}/${folder}/${encodeURIComponent(slug)}/installations/new`;
}

const formatSettingsUrl = ({ webUrl, organization }: { webUrl: string; organization: string | null }) =>
  organization === null
    ? `${webUrl}/settings/apps`
    : `${webUrl}/organizations/${encodeURIComponent(organization)}/settings/apps`;

/**
 * Where a manifest is posted to, for one's own account (null) or an organisation.
 * https://docs.github.com/en/apps/sharing-github-apps/registering-a-github-app-from-a-manifest
 */
export const formatRegistrationUrl = (where: { webUrl: string; organization: string | null; state: string }) =>
  `${formatSettingsUrl(where)}/new?state=${encodeURIComponent(where.state)}`;

/** Whether GitHub cannot deliver, as far as PUBLIC_URL tells; null: it is not set. */
export const isOutOfReach = ({ webUrl, publicUrl }: { webUrl: string; publicUrl: string | null }) =>
  isCloud(webUrl) && (publicUrl === null || isLoopbackUrl(publicUrl));
