import type { HttpProblemKind } from '../../problem.ts';

/** What each problem means for a caller, and what to do. docs/api.md has the same table. */
export const problemMeanings: Record<HttpProblemKind, string> = {
  'invalid-request':
    'the request is not valid; `errors` names each bad field by its JSON Pointer, and each bad parameter by its name',
  unauthorized: 'no key, or a key that is wrong, expired or revoked',
  'not-found': 'no such path, project, job, run, webhook or delivery, or the key belongs to another project',
  'method-not-allowed': 'wrong method; `Allow` lists the right ones',
  'request-timeout': 'the request did not arrive in time: headers and body within 10 s each',
  'job-archived': 'the job is archived: unarchive it, or create a new one',
  'pull-request-closed':
    "the job's pull request is closed or merged, so the job stays archived: reopen it on GitHub, or create a new job",
  'repository-gone': 'the App lost access to the repository: install it there again',
  'github-refused': 'GitHub refused what the request needs; `detail` says why',
  broken: 'nothing can trigger the automation; `detail` says why, and what to do',
  paused: 'the automation is paused: resume it first',
  'idempotency-key-in-use':
    'another request with this `Idempotency-Key` has been in progress for 10 s; repeat this one after `Retry-After` seconds',
  'too-many-webhooks': 'the project has 100 webhooks: remove one first',
  'webhook-disabled': 'the webhook is disabled: send a test, and a success enables it again',
  'webhook-test-running': 'a test of this webhook waits for its answer; repeat after `Retry-After` seconds',
  'webhooks-not-configured': 'the service has no key for secrets: its operator has to set `SECRETS_KEY`',
  'events-gone':
    'these events were removed, or the service was restored from a backup; `firstSeq` is the first event that is left: read on with `after=firstSeq - 1`',
  'length-required': 'no `Content-Length`; chunked bodies are not accepted',
  'content-too-large': 'the body is larger than 256 KiB, or than 28 MiB with images',
  'unsupported-media-type': 'the body is not JSON, not UTF-8, or compressed',
  'expectation-failed': 'an `Expect` header other than `100-continue`',
  'idempotency-key-reused': 'the `Idempotency-Key` belongs to a request with another body, route or job',
  'budget-exhausted':
    'the project used up its tokens of this month; retry after `Retry-After` seconds, or ask the operator',
  'rate-limited': 'the project used all requests of this hour; retry after `Retry-After` seconds',
  'too-many-waiting': '20 messages of this job already wait; retry after `Retry-After` seconds',
  'too-many-streams': 'the key has 100 open streams: close some',
  'headers-too-large': 'the URL and the headers together are larger than 16 KiB',
  internal: 'unexpected error: give `instance` to the operator',
  unavailable:
    'the database or GitHub does not answer, or too many bodies or streams are open at once; retry after `Retry-After` seconds',
};
