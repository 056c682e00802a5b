import { z } from 'zod';
import { isProjectGone } from '../../projects/follow-transfer.ts';
import { ignoredBecause } from '../delivery-context.ts';
import { defineEvent, type EventHandler } from '../github-event.ts';
import { fieldsOf } from '../payload.ts';
import { reconcileInstallation } from '../reconcile/reconcile-installation.ts';
import { removeGoneProjects, removeProject } from '../reconcile/remove-project.ts';
import { unlessInstalled } from '../worth-storing.ts';
import { settingsChanged } from './push.ts';

const noInstallation = 'the delivery has no installation';

/** Reads only the delivery's repository, if it has one: an account may have thousands. */
const installationChanged: EventHandler = async (context) => {
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

const repositoryEdited: EventHandler = async (context) => {
  const halves = [await installationChanged(context), await settingsChanged(context)];
  return async (store) => {
    for (const half of halves) if (typeof half === 'function') await half(store);
    return undefined;
  };
};

/** Asks GitHub to confirm: the delivery may be old, and a repository can be restored. */
const repositoryDeleted: EventHandler = async (context) => {
  const { github, signal } = context;
  const project = await context.findProject();
  if (!project) return ignoredBecause.noProject;
  if (!(await isProjectGone(github, project, { signal }))) return 'the repository still exists';
  return async (store) => {
    await removeProject(store, project);
    return undefined;
  };
};

export const repository = defineEvent({
  name: 'repository',
  fields: {
    repository: fieldsOf.repository,
    changes: z.object({ default_branch: z.unknown() }).partial().optional(),
  },
  handle: {
    renamed: installationChanged,
    transferred: installationChanged,
    edited: repositoryEdited,
    deleted: repositoryDeleted,
  },
  findDropReason(fields) {
    const { action, changes } = fields;
    if (action === 'edited' && changes && !Object.hasOwn(changes, 'default_branch'))
      return unlessInstalled(fields) ?? 'the default branch did not change';
    return unlessInstalled(fields);
  },
});
