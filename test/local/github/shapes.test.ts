import type { RestEndpointMethodTypes } from '@octokit/rest';
import type { EmitterWebhookEvent, EmitterWebhookEventName } from '@octokit/webhooks';
import { expectTypeOf, test } from 'vitest';
import type { presentAccount, presentInstallation, presentRepository } from '../../../local/github/json/present.ts';
import type {
  presentComment,
  presentReaction,
  presentReview,
  presentReviewComment,
  presentReviewInEvent,
} from '../../../local/github/json/present-comment.ts';
import type { presentCommit, presentFile } from '../../../local/github/json/present-commit.ts';
import type {
  presentConversation,
  presentPullRequest,
  presentSimplePullRequest,
} from '../../../local/github/json/present-pull-request.ts';

/** The fields that Octokit's type always has and that what the stand-in shows lacks. */
type Missing<Wanted, Present extends (...given: never) => unknown> = {
  [Field in keyof Wanted]-?: undefined extends Wanted[Field]
    ? never
    : Field extends keyof Awaited<ReturnType<Present>>
      ? never
      : Field;
}[keyof Wanted];

type Data<
  Folder extends keyof RestEndpointMethodTypes,
  Name extends keyof RestEndpointMethodTypes[Folder],
> = RestEndpointMethodTypes[Folder][Name] extends { response: { data: infer Found } } ? Found : never;

type Payload<Name extends EmitterWebhookEventName> = EmitterWebhookEvent<Name>['payload'];

test("responses have every field of Octokit's types", () => {
  expectTypeOf<Missing<Data<'pulls', 'get'>, typeof presentPullRequest>>().toBeNever();
  expectTypeOf<Missing<Data<'pulls', 'list'>[number], typeof presentSimplePullRequest>>().toBeNever();
  expectTypeOf<Missing<Data<'issues', 'get'>, typeof presentConversation>>().toBeNever();
  expectTypeOf<Missing<Data<'issues', 'getComment'>, typeof presentComment>>().toBeNever();
  expectTypeOf<Missing<Data<'repos', 'get'>, typeof presentRepository>>().toBeNever();
  expectTypeOf<Missing<Data<'pulls', 'listReviews'>[number], typeof presentReview>>().toBeNever();
  expectTypeOf<Missing<Data<'pulls', 'listReviewComments'>[number], typeof presentReviewComment>>().toBeNever();
  expectTypeOf<Missing<Data<'pulls', 'listFiles'>[number], typeof presentFile>>().toBeNever();
  expectTypeOf<Missing<Data<'repos', 'getBranch'>['commit'], typeof presentCommit>>().toBeNever();
  expectTypeOf<Missing<Data<'apps', 'getInstallation'>, typeof presentInstallation>>().toBeNever();
  expectTypeOf<Missing<Data<'reactions', 'createForIssueComment'>, typeof presentReaction>>().toBeNever();
});

test("events have every field of Octokit's types", () => {
  expectTypeOf<Missing<Payload<'pull_request.closed'>['pull_request'], typeof presentPullRequest>>().toBeNever();
  expectTypeOf<Missing<Payload<'issue_comment.created'>['issue'], typeof presentConversation>>().toBeNever();
  expectTypeOf<Missing<Payload<'issue_comment.created'>['comment'], typeof presentComment>>().toBeNever();
  expectTypeOf<Missing<Payload<'pull_request_review.submitted'>['review'], typeof presentReviewInEvent>>().toBeNever();
  expectTypeOf<
    Missing<Payload<'pull_request_review_comment.created'>['comment'], typeof presentReviewComment>
  >().toBeNever();
  expectTypeOf<Missing<Payload<'repository.renamed'>['repository'], typeof presentRepository>>().toBeNever();
  expectTypeOf<Missing<Payload<'installation.created'>['installation'], typeof presentInstallation>>().toBeNever();
  expectTypeOf<Missing<Payload<'pull_request.closed'>['sender'], typeof presentAccount>>().toBeNever();
});
