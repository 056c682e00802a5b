import { z } from 'zod';
import { defineEvent, type EventHandler } from '../github-event.ts';
import { mayConcernHead, notePreviewOf } from '../heads.ts';
import { type CommonFields, fieldsOf } from '../payload.ts';

const deploymentSchema = z.object({ sha: z.string() });
const statusSchema = z.object({ state: z.string(), environment_url: z.string().nullish() });

interface Fields extends CommonFields {
  deployment: z.infer<typeof deploymentSchema>;
  deployment_status: z.infer<typeof statusSchema>;
}

const created: EventHandler<Fields> = async ({ fields }) =>
  notePreviewOf(fields, { sha: fields.deployment.sha, url: fields.deployment_status.environment_url ?? null });

export const deploymentStatus = defineEvent({
  name: 'deployment_status',
  fields: { repository: fieldsOf.repository, deployment: deploymentSchema, deployment_status: statusSchema },
  handle: { created },
  findDropReason: ({ deployment_status: { state, environment_url: url } }) =>
    state === 'success' && url ? undefined : 'nothing to see',
  isWanted: (database, fields) => mayConcernHead(database, fields, fields.deployment.sha),
});
