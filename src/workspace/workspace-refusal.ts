import { ReasonedRefusal } from '../errors.ts';

/** `earlier_write_refused`: the rules no longer allow a write of an earlier worker of the run. */
export type WorkspaceRefusalFacts =
  | { reason: 'base_rewritten' }
  | { reason: 'protected_paths'; paths: string[] }
  | { reason: 'earlier_write_refused'; detail: string };

/** The change of a run cannot be made or published; a retry would not help. */
export class WorkspaceRefusal extends ReasonedRefusal<WorkspaceRefusalFacts> {
  override readonly name = 'WorkspaceRefusal';

  constructor(facts: WorkspaceRefusalFacts, options?: ErrorOptions) {
    super(describe(facts), facts, options);
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
