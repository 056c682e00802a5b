import { automationEndpoints } from './automations/automation-endpoints.ts';
import { diffEndpoint } from './diff-endpoint.ts';
import type { Endpoint, TaggedEndpoint } from './endpoint.ts';
import { eventsEndpoint } from './events/events-endpoint.ts';
import { jobEndpoints } from './jobs/job-endpoints.ts';
import { messageEndpoints } from './messages/message-endpoints.ts';
import { projectEndpoint } from './project-endpoint.ts';
import { runEndpoints } from './runs/run-endpoints.ts';
import { usageEndpoint } from './usage-endpoint.ts';
import { webhookEndpoints } from './webhooks/webhook-endpoints.ts';

const tagged = (tag: string, ofTag: readonly Endpoint[]): TaggedEndpoint[] =>
  ofTag.map((endpoint) => ({ ...endpoint, tag }));

/** Everything below `/v2/agent/{projectId}`, in the order of the description. To add a resource, add it and a line here. */
export const endpoints: readonly TaggedEndpoint[] = [
  ...tagged('jobs', [...jobEndpoints, ...messageEndpoints, ...runEndpoints, eventsEndpoint, diffEndpoint]),
  ...tagged('automations', automationEndpoints),
  ...tagged('usage', [usageEndpoint]),
  ...tagged('project', [projectEndpoint]),
  ...tagged('webhooks', webhookEndpoints),
];
