import { Refusal } from '../../errors.ts';

/**
 * Why GitHub refuses, and the facts. `what` completes “GitHub refused to …” and names the repository; `missing` are permissions as
 * `name=level`; `words` are GitHub's own. `installation_suspended` passes, and says nothing about the thing that was asked for.
 */
export type GitHubRefusalFacts =
  | { reason: 'installation_gone' }
  | { reason: 'installation_suspended'; account?: string }
  | { reason: 'permission_missing'; missing: string[]; account: string }
  | { reason: 'permission_missing'; missing: string[]; what: string }
  | { reason: 'repository_gone'; account: string }
  | { reason: 'repository_gone'; repository: string }
  | { reason: 'not_found'; what: string }
  | { reason: 'refused'; what: string; words: string; remedy?: Remedy | undefined };

/** What a person can do about a refusal that only GitHub's text tells from others. */
export type Remedy = 'unarchive' | 'unlock';

/** GitHub refuses a request. The message says in plain sentences what happened and what to do: people read it in a run, a warning and the CLI. */
export class GitHubRefusal extends Refusal {
  override readonly name = 'GitHubRefusal';
  readonly reason: GitHubRefusalFacts['reason'];
  readonly facts: GitHubRefusalFacts;

  constructor(facts: GitHubRefusalFacts, options?: ErrorOptions) {
    super(describe(facts), options);
    this.reason = facts.reason;
    this.facts = facts;
  }
}

const grant = 'Grant it in the App’s settings, then accept it for the installation.';
const remedies: Record<Remedy, string> = {
  unarchive: ' Unarchive the repository, then ask again.',
  unlock: ' Unlock the conversation, then ask again.',
};

function describe(facts: GitHubRefusalFacts): string {
  switch (facts.reason) {
    case 'installation_gone':
      return 'The App is no longer installed. Install it again.';
    case 'installation_suspended': {
      const account = facts.account === undefined ? '' : ` on ${facts.account}`;
      return `The App’s installation${account} is suspended. Unsuspend it in the account’s settings.`;
    }
    case 'permission_missing': {
      const missing = facts.missing.join(', ');
      return 'account' in facts
        ? `The App’s installation on ${facts.account} lacks ${missing}. ${grant}`
        : `GitHub refused to ${facts.what}: the App lacks ${missing}. ${grant}`;
    }
    case 'repository_gone':
      return 'account' in facts
        ? `The App’s installation on ${facts.account} does not include the repository. Add it to the installation.`
        : `The App cannot access ${facts.repository}. It was deleted or removed from the installation.`;
    case 'not_found':
      return `GitHub could not ${facts.what}: it was deleted, or the App lost access to it.`;
    case 'refused':
      return `GitHub refused to ${facts.what}: ${facts.words}.${facts.remedy ? remedies[facts.remedy] : ''}`;
  }
}
