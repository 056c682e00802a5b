import type { AddMessageResult } from '../../jobs/add-message.ts';
import type { CreateJobResult } from '../../jobs/create-job.ts';
import { Problem } from '../problem.ts';
import { formatRateLimit } from './rate-limit-headers.ts';

type Refusal = Exclude<AddMessageResult | CreateJobResult, { kind: 'accepted' }>;

/** A run takes all waiting messages at its next turn, which is seldom further away than this. */
const waitForTurnSeconds = 60;

/** Tells a caller why a story did not accept the request. */
export function toRefusal(refusal: Refusal): Problem {
  switch (refusal.kind) {
    case 'archived':
      return new Problem('job-archived', 'This job is archived and takes no more messages. Create a new job.');
    case 'project_gone':
      return new Problem(
        'repository-gone',
        'Pagewright has no access to the repository of this project any more. Install the App on it again.',
      );
    case 'too_many_waiting':
      return new Problem('too-many-waiting', 'Too many messages wait in this job already. Send this one later.', {
        headers: { 'Retry-After': String(waitForTurnSeconds) },
      });
    case 'rate_limited':
      return new Problem(
        'rate-limited',
        `This project has used its ${refusal.rate.limit} requests of this hour. Try again in ${refusal.rate.resetSeconds} seconds.`,
        { headers: { ...formatRateLimit(refusal.rate), 'Retry-After': String(refusal.rate.resetSeconds) } },
      );
  }
}
