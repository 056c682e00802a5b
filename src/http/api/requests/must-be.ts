/** For zod: what a field must be, or that it is missing. */
export const mustBe = (what: string) => (issue: { input?: unknown }) =>
  issue.input === undefined ? 'is required' : `must be ${what}`;
