import { Refusal } from '../errors.ts';

/** Why a workspace takes or gives no change. `earlier_write_refused`: a takeover may no longer write what an earlier worker of the run wrote. */
export type WorkspaceRefusalFacts =
  | { reason: 'base_rewritten' }
  | { reason: 'protected_paths'; paths: string[] }
  | { reason: 'earlier_write_refused'; detail: string };

/** The change of a run cannot be made or published, and trying again would not help. */
export class WorkspaceRefusal extends Refusal {
  override readonly name = 'WorkspaceRefusal';
  readonly reason: WorkspaceRefusalFacts['reason'];
  readonly facts: WorkspaceRefusalFacts;

  constructor(facts: WorkspaceRefusalFacts, options?: ErrorOptions) {
    super(describe(facts), options);
    this.reason = facts.reason;
    this.facts = facts;
  }
}

function describe(facts: WorkspaceRefusalFacts): string {
  switch (facts.reason) {
    case 'base_rewritten':
      return 'the base commit is no longer in the repository';
    case 'protected_paths':
      return `the change touches protected paths: ${facts.paths.join(', ')}`;
    case 'earlier_write_refused':
      return `could not apply an earlier write: ${facts.detail}`;
  }
}
