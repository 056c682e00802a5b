import { Router } from 'express';
import { neededPermissions } from '../../../github/auth/describe-installations.ts';
import { findMissingPermissions } from '../../../github/auth/permissions.ts';
import type { DashboardParts } from '../dashboard-parts.ts';
import { linkTo } from '../frame/project-links.ts';
import type { PageRoutes } from '../people/page-routes.ts';
import { type Grants, settingsPage } from './settings-page.ts';

export function createSettingsRoutes(
  { config, fetchInstallation, readContextStates, log }: DashboardParts,
  { forMaintainers }: PageRoutes,
): Router {
  async function findGrants(installationId: number, signal: AbortSignal): Promise<Grants> {
    const installation = await fetchInstallation(installationId, signal).catch((error: unknown) => {
      log.warn({ err: error, installationId }, 'GitHub did not say what the App may do');
      return undefined;
    });
    if (!installation) return null;
    const missing = findMissingPermissions(neededPermissions, installation.permissions);
    return neededPermissions.split(',').map((needed) => {
      const [name = ''] = needed.split('=');
      return { name, given: installation.permissions[name] ?? 'none', isEnough: !missing.includes(needed) };
    });
  }

  const router = Router();
  router.get(
    linkTo(':projectId').settings,
    forMaintainers(async ({ project, signal }) =>
      settingsPage({
        project,
        models: config.openai.models,
        webUrl: config.github.webUrl,
        context: await readContextStates(project, signal),
        grants: await findGrants(project.installation_id, signal),
      }),
    ),
  );
  return router;
}
