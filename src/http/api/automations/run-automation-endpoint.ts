import { z } from 'zod';
import type { NotRun } from '../../../automations/run-automation.ts';
import { isTaken, type NotTaken } from '../../../automations/take-up.ts';
import { parseReference } from '../../../context/changes/find-named-changes.ts';
import { automationName } from '../../../ids.ts';
import { HttpProblem } from '../../problem.ts';
import { describeResponse } from '../description/responses.ts';
import { idempotencyHeader } from '../description/shared-schemas.ts';
import type { Endpoint } from '../endpoint.ts';
import { jobSchema, replyJob, replyNewJob } from '../jobs/job-resource.ts';
import { acceptOncePerKey } from '../requests/accept-once-per-key.ts';
import { type Call, resourceNotFound } from '../requests/project-route.ts';
import { invalidRequest, mustBe, readRequest } from '../requests/read-request.ts';
import { fetchInTime, repositoryGone } from '../requests/refusal.ts';

/** What a person may ask of an automation, by API and on the dashboard. */
export const runAutomationBody = z
  .strictObject(
    {
      pullRequest: z
        .string({ error: mustBe('a pull request as owner/name#number') })
        .transform((text, context) => parseReference(text) ?? refuseReference(context))
        .optional()
        .meta({
          description:
            'A pull request of this repository, or of a context repository: it is documented whatever it changed. Default: what waits, or the prompt alone.',
          override: { type: 'string' },
          example: 'acme/api#12',
        }),
    },
    { error: mustBe('a JSON object') },
  )
  .meta({ id: 'RunAutomation' });

function refuseReference(context: z.RefinementCtx): never {
  context.addIssue({ code: 'custom', message: 'must be a pull request as owner/name#number' });
  return z.NEVER;
}

export const runAutomationEndpoint: Endpoint = {
  method: 'post',
  path: '/automation/{name}/run',
  operationId: 'runAutomation',
  summary: 'Run an automation now',
  description: 'The limit of runs per day does not apply; the budget does.',
  header: idempotencyHeader,
  body: runAutomationBody,
  isBodyOptional: true,
  answers: {
    200: describeResponse('The open job of the automation, which got the instruction as a message.', jobSchema),
    201: describeResponse('The new job.', jobSchema, {
      Location: z.string().describe('The path of the job.'),
    }),
  },
  problems: [
    'broken',
    'paused',
    'repository-gone',
    'github-refused',
    'idempotency-key-in-use',
    'idempotency-key-reused',
    'budget-exhausted',
    'too-many-waiting',
  ],
  handle: async (call, parts) => {
    const { automations, keyWaits } = parts;
    const request = await readRequest(call, { schema: runAutomationBody, mayBeMissing: true });
    const { projectId, apiKey } = call;
    const key = { projectId, name: readAutomationName(call) };
    const { pullRequest } = request;
    const preparing = fetchInTime(call, (signal) => automations.prepare({ key, pullRequest }, signal));
    // A repetition gets its first answer, also where the automation could not run again.
    await Promise.allSettled([preparing]);
    const target = `run ${key.name}`;
    return acceptOncePerKey(call, { target, body: request, keyWaits }, async (store) => {
      const prepared = await preparing;
      if (prepared.kind !== 'prepared') throw describeNotRun(prepared);
      const taken = await automations.run(store, prepared, { author: apiKey.name });
      if (!isTaken(taken)) throw describeNotTaken(taken);
      return (taken.kind === 'joined' ? replyJob : replyNewJob)(taken.job, call, parts);
    });
  },
};

/** Why an automation does not run. */
export function describeNotRun(refused: NotRun): HttpProblem {
  switch (refused.kind) {
    case 'unknown':
      return resourceNotFound();
    case 'broken':
      return new HttpProblem('broken', refused.problem);
    case 'paused':
      return new HttpProblem('paused', 'This automation is paused. Resume it first.');
    case 'unread':
      return invalidRequest([{ pointer: '#/pullRequest', detail: `cannot be read: ${refused.problem}` }]);
  }
}

/** Why what was asked for is not taken up. */
export function describeNotTaken(taken: NotTaken): HttpProblem {
  switch (taken.kind) {
    case 'gone':
      return repositoryGone();
    case 'held': {
      const seconds = Math.max(1, Math.ceil((taken.until.getTime() - Date.now()) / 1000));
      const kind = taken.code === 'too-many-waiting' ? 'too-many-waiting' : 'budget-exhausted';
      return new HttpProblem(kind, taken.problem, { headers: { 'Retry-After': String(seconds) } });
    }
    case 'nothing':
    case 'changed':
      return new HttpProblem('unavailable', 'This automation is being run already. Try again in a few seconds.');
  }
}

/** The automation of the path. Throws the problem 404 for what cannot be a name. */
export function readAutomationName({ request }: Call): string {
  const { name } = request.params;
  if (typeof name === 'string' && automationName.test(name)) return name;
  throw resourceNotFound();
}
