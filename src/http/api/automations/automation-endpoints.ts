import { describeAutomations } from '../../../automations/describe-automations.ts';
import { pauseAutomation, resumeAutomation } from '../../../automations/pause-automation.ts';
import type { Store } from '../../../store/store.ts';
import { describeResponse } from '../description/responses.ts';
import type { Endpoint } from '../endpoint.ts';
import { type Call, resourceNotFound } from '../requests/project-route.ts';
import { automationSchema, automationsSchema, toAutomationResource } from './automation-resource.ts';
import { readAutomationName } from './read-automation-name.ts';
import { runAutomationEndpoint } from './run-automation-endpoint.ts';

const listAutomationsEndpoint: Endpoint = {
  method: 'get',
  path: '/automation',
  operationId: 'listAutomations',
  summary: 'List the automations of the project',
  description: 'The standing instructions in the settings of the repository, by name.',
  tag: 'automations',
  answers: { 200: describeResponse('All automations.', automationsSchema) },
  createHandler: () => (call) =>
    call.withDeadline(async ({ database }) => {
      const automations = await describeAutomations(database, call.projectId);
      return { status: 200, body: { automations: automations.map(toAutomationResource) } };
    }),
};

/** `change` returns false for an automation that does not exist. */
const createSwitch = (
  { verb, summary, description }: { verb: 'pause' | 'resume'; summary: string; description: string },
  change: (store: Store, key: { projectId: string; name: string }) => Promise<boolean>,
): Endpoint => ({
  method: 'post',
  path: `/automation/{name}/${verb}`,
  operationId: `${verb}Automation`,
  summary,
  description,
  tag: 'automations',
  answers: { 200: describeResponse('The automation.', automationSchema) },
  createHandler: () => (call: Call) =>
    call.withDeadline(async (store) => {
      const { projectId } = call;
      const name = readAutomationName(call);
      if (!(await change(store, { projectId, name }))) throw resourceNotFound();
      const all = await describeAutomations(store.database, projectId);
      const changed = all.find((automation) => automation.name === name);
      if (!changed) throw resourceNotFound();
      return { status: 200, body: toAutomationResource(changed) };
    }),
});

export const automationEndpoints: readonly Endpoint[] = [
  listAutomationsEndpoint,
  runAutomationEndpoint,
  createSwitch(
    {
      verb: 'pause',
      summary: 'Pause an automation',
      description:
        'What triggers it waits until it is resumed; the times of a schedule pass. Outlasts changes of the settings.',
    },
    pauseAutomation,
  ),
  createSwitch(
    { verb: 'resume', summary: 'Resume an automation', description: 'It takes up at once what came in the meantime.' },
    resumeAutomation,
  ),
];
