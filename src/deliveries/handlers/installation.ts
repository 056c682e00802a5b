import { defineEvent, type EventHandler } from '../github-event.ts';
import { reconcileInstallation } from '../reconcile/reconcile-installation.ts';
import { removeGoneProjects } from '../reconcile/remove-project.ts';
import { unlessInstalled } from '../worth-storing.ts';

const noInstallation = 'the delivery has no installation';

/** Reads only the delivery's repository, if it has one: an account may have thousands. */
export const installationChanged: EventHandler = async (context) => {
  const { installation, repository } = context.fields;
  if (!installation) return noInstallation;
  return reconcileInstallation(
    context,
    { installationId: installation.id, repositoryId: repository?.id },
    context.signal,
  );
};

/** A repository may also have moved to another account that has the App. This delivery may be the first sign of it. */
const installationDeleted: EventHandler = async (context) => {
  const { installation } = context.fields;
  if (!installation) return noInstallation;
  await removeGoneProjects(context, installation.id, { listed: new Set(), signal: context.signal });
  return async () => undefined;
};

export const installation = defineEvent({
  name: 'installation',
  fields: {},
  findDropReason: unlessInstalled,
  handle: {
    created: installationChanged,
    unsuspend: installationChanged,
    new_permissions_accepted: installationChanged,
    suspend: installationChanged,
    deleted: installationDeleted,
  },
});

export const installationRepositories = defineEvent({
  name: 'installation_repositories',
  fields: {},
  findDropReason: unlessInstalled,
  handle: { added: installationChanged, removed: installationChanged },
});
