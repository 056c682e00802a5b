import { GitHubRefusal } from '../github/refusals/github-refusal.ts';

/** Undefined: the installation does not grant the permission. What works without it goes on. */
export async function askIfGranted<Answer>(ask: () => Promise<Answer>): Promise<Answer | undefined> {
  try {
    return await ask();
  } catch (error) {
    if (error instanceof GitHubRefusal && error.reason === 'permission_missing') return undefined;
    throw error;
  }
}
