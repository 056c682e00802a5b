import { ReasonedRefusal } from '../../errors.ts';

/** `what` completes “GitHub refused to …” and names the repository; `missing` are permissions as `name=level`; `words` are GitHub's own. */
type GitHubRefusalFacts =
  | { reason: 'installation_gone' }
  | { reason: 'installation_suspended'; account?: string }
  | { reason: 'permission_missing'; missing: string[]; account: string }
  | { reason: 'permission_missing'; missing: string[]; what: string }
  | { reason: 'repository_gone'; account: string }
  | { reason: 'repository_gone'; repository: string }
  | { reason: 'not_found'; what: string }
  | { reason: 'refused'; what: string; words: string; remedy?: Remedy | undefined };

export type Remedy = 'unarchive' | 'unlock' | 'allow_address';

/** People read the message in runs, warnings and the CLI: it says what happened and what to do. */
export class GitHubRefusal extends ReasonedRefusal<GitHubRefusalFacts> {
  override readonly name = 'GitHubRefusal';

  constructor(facts: GitHubRefusalFacts, options?: ErrorOptions) {
    super(describe(facts), facts, options);
  }
}

/** Undefined: the installation does not grant the permission. What works without it goes on. */
export async function askIfGranted<Answer>(ask: () => Promise<Answer>): Promise<Answer | undefined> {
  try {
    return await ask();
  } catch (error) {
    if (error instanceof GitHubRefusal && error.reason === 'permission_missing') return undefined;
    throw error;
  }
}

/** An owner of the organization or enterprise can do it, or the owner of the App: https://docs.github.com/en/organizations/keeping-your-organization-secure/managing-security-settings-for-your-organization/managing-allowed-ip-addresses-for-your-organization */
export const allowAddress =
  'Add the address of Pagewright’s server to the IP allow list of the organization, then ask again.';
const grant = 'Grant it in the App’s settings, then accept it for the installation.';
const remedies: Record<Remedy, string> = {
  unarchive: ' Unarchive the repository, then ask again.',
  unlock: ' Unlock the conversation, then ask again.',
  allow_address: ` ${allowAddress}`,
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
        : `The App cannot access ${facts.repository}: the repository was deleted or removed from the installation. Add it to the installation again.`;
    case 'not_found':
      return `GitHub could not ${facts.what}: it was deleted, or the App lost access to it.`;
    case 'refused':
      return `GitHub refused to ${facts.what}: ${facts.words}.${facts.remedy ? remedies[facts.remedy] : ''}`;
  }
}
