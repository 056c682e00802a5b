import type { Rule } from './ruleset.ts';

/** What GitHub's settings page fills in, by type: https://docs.github.com/en/rest/repos/rules. Rules of other types have no defaults. */
const defaults: Record<string, Record<string, unknown>> = {
  update: { update_allows_fetch_and_merge: false },
  pull_request: {
    allowed_merge_methods: ['merge', 'squash', 'rebase'],
    dismiss_stale_reviews_on_push: false,
    require_code_owner_review: false,
    require_last_push_approval: false,
    required_approving_review_count: 0,
    required_review_thread_resolution: false,
  },
  required_status_checks: { strict_required_status_checks_policy: false, do_not_enforce_on_create: false },
};

/** GitHub shows every parameter of a rule, and none for a rule that has none. */
export function completeRule({ type, parameters }: Rule): Rule {
  const complete = { ...defaults[type], ...parameters };
  return Object.keys(complete).length === 0 ? { type } : { type, parameters: complete };
}
