import { z } from 'zod';
import { ApiError } from '../api/api-error.ts';
import { createPerson } from '../create-person.ts';
import { fullNameOf } from '../state/repositories.ts';
import type { PullRequest } from '../state/world.ts';
import { findWriters } from './pull-request-forms.ts';

export const pressedButton = z.object({
  as: z.string(),
  body: z.string().default(''),
  action: z.enum(['comment', 'review', 'approve', 'merge', 'close', 'reopen']),
  path: z.string().default(''),
  line: z.coerce.number().int().positive().optional(),
});

/** Carries out a button of a pull request's page. Returns github.com's error text when it fails. */
export async function pressButton(
  pullRequest: PullRequest,
  { as, body, action, path, line }: z.infer<typeof pressedButton>,
): Promise<string | undefined> {
  const { repository } = pullRequest;
  const account = findWriters(repository).find(({ login }) => login === as);
  if (!account) return `${as} has no write access here.`;
  const person = createPerson(repository.world, account);
  const at = [fullNameOf(repository), pullRequest.number] as const;
  try {
    if (action === 'review') {
      await person.review(...at, { comments: [{ path, line: line ?? null, body }] });
      return undefined;
    }
    if (action === 'approve') {
      await person.review(...at, { state: 'APPROVED', body: body.trim() });
      return undefined;
    }
    if (body.trim() !== '' || action === 'comment') person.comment(...at, body);
    if (action === 'merge') await person.mergePullRequest(...at);
    if (action === 'close') await person.closePullRequest(...at);
    if (action === 'reopen') await person.reopenPullRequest(...at);
    return undefined;
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    return error.errors?.map(({ message, field, code }) => message ?? `${field}: ${code}`).join(' ') ?? error.message;
  }
}
