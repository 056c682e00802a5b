import { z } from 'zod';
import { RunFailure } from '../../errors.ts';
import { findMissingPermissions, type Permissions } from '../auth/permissions.ts';
import type { Answer } from '../client/failed-request.ts';

const maxReasonLength = 300;

const refusalSchema = z.object({
  message: z.string().catch(''),
  documentation_url: z.string().catch(''),
  errors: z
    .array(
      z.union([
        z.string().transform((message) => ({ message, field: '', code: '', type: '' })),
        z.object({
          message: z.string().catch(''),
          field: z.string().catch(''),
          code: z.string().catch(''),
          type: z.string().catch(''),
        }),
      ]),
    )
    .catch([]),
});

/** The body of a refusal: a message and, for a 422, what is wrong with which field; from GraphQL, errors with a type. Missing parts are empty. */
export type RefusalBody = z.infer<typeof refusalSchema>;

/** Never throws. */
export function parseRefusal(data: unknown): RefusalBody {
  const parsed = refusalSchema.safeParse(data);
  return parsed.success ? parsed.data : { message: '', documentation_url: '', errors: [] };
}

/**
 * The failure for a refusal that the call does not handle itself. `what` completes “GitHub refused to …” and names the repository.
 * Undefined for 401: a token that has ended is no reason to end a run, because a new one helps. A failure with `installation_suspended`
 * says nothing about the thing itself (`isRefusal`).
 */
export function toRunFailure(options: {
  what: string;
  answer: Answer;
  permissions: Permissions;
  cause: unknown;
}): RunFailure | undefined {
  const { what, answer, permissions, cause } = options;
  if (answer.status === 401) return undefined;
  if (isSuspended(answer)) {
    const sentence = 'The App’s installation is suspended: unsuspend it in the account’s settings.';
    return new RunFailure('installation_suspended', sentence, { cause });
  }
  const types = parseRefusal(answer.data).errors.map(({ type }) => type);
  if (answer.status === 404 || answer.status === 410 || types.includes('NOT_FOUND')) {
    const sentence = `GitHub could not ${what}: it was deleted, or the App has no access to it any more.`;
    return new RunFailure('not_found', sentence, { cause });
  }
  // GitHub sends this header with many answers, so only a permission that is really missing makes the refusal one of permissions.
  const accepted = answer.headers['x-accepted-github-permissions'] ?? '';
  const missing = answer.status === 403 ? findMissingPermissions(accepted, permissions) : [];
  if (missing.length > 0) {
    const sentence = `The App may not ${what}: it needs ${accepted} and lacks ${missing.join(', ')}. Grant it in the App’s settings, then accept it for the installation.`;
    return new RunFailure('permission_missing', sentence, { cause });
  }
  const sentences = [`GitHub refused to ${what}: ${describe(answer)}.`, findRemedy(answer)].filter(Boolean);
  return new RunFailure('github_refused', sentences.join(' '), { cause });
}

/**
 * A token of an installation that was suspended since is refused everything, and only this text says why:
 * https://github.com/octokit/octokit.rb/blob/main/lib/octokit/error.rb
 */
const isSuspended = ({ status, data }: Answer): boolean =>
  status === 403 && /this installation has been suspended/i.test(parseRefusal(data).message);

/** Whether GitHub refuses the thing itself. A suspension of the installation passes, and says nothing about the thing. */
export const isRefusal = (error: unknown): error is RunFailure =>
  error instanceof RunFailure && error.code !== 'installation_suspended';

function describe(answer: Answer): string {
  const { message, errors } = parseRefusal(answer.data);
  const details = errors.map((error) => error.message || [error.field, error.code].filter(Boolean).join(' '));
  const text = [message, ...details].filter(Boolean).join('; ').replace(/\s+/g, ' ').replace(/\.$/, '');
  return text === '' ? `it answered ${answer.status}` : text.slice(0, maxReasonLength);
}

/**
 * What a person can change about a refusal that no status tells from others; empty when it is not known. The one place that reads these
 * texts, as they have been seen: https://github.com/renovatebot/renovate/issues/6215 (locked, with the documentation that it links to)
 * and https://github.com/r-universe-org/help/issues/247 (archived). Of a repository that is archived, GitHub may say both.
 */
function findRemedy({ status, data }: Answer): string {
  if (status !== 403) return '';
  const { message, documentation_url: documentation } = parseRefusal(data);
  if (/was archived/i.test(message)) return 'Unarchive the repository, then ask again.';
  const isLocked = /locking-conversations/.test(documentation) || /is locked/i.test(message);
  return isLocked ? 'Unlock the conversation, then ask again.' : '';
}
