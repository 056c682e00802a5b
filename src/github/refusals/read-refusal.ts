import { z } from 'zod';
import { Refusal } from '../../errors.ts';
import { findMissingPermissions, type Permissions } from '../auth/permissions.ts';
import type { GitHubResponse } from '../client/failed-request.ts';
import { GitHubRefusal, type Remedy } from './github-refusal.ts';

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

type RefusalBody = z.infer<typeof refusalSchema>;

/** Never throws: missing parts are empty. Only GraphQL errors have a type. */
export function parseRefusal(data: unknown): RefusalBody {
  const parsed = refusalSchema.safeParse(data);
  return parsed.success ? parsed.data : { message: '', documentation_url: '', errors: [] };
}

/** `what` completes “GitHub refused to …” and names the repository. Undefined for 401: the token expired, and a new one helps. */
export function readRefusal(options: {
  what: string;
  answer: GitHubResponse;
  permissions: Permissions;
  cause: unknown;
}): GitHubRefusal | undefined {
  const { what, answer, permissions, cause } = options;
  if (answer.status === 401) return undefined;
  if (isSuspended(answer)) return new GitHubRefusal({ reason: 'installation_suspended' }, { cause });
  const types = parseRefusal(answer.data).errors.map(({ type }) => type);
  if (answer.status === 404 || answer.status === 410 || types.includes('NOT_FOUND'))
    return new GitHubRefusal({ reason: 'not_found', what }, { cause });
  // GitHub sends this header with many answers: only a missing permission counts.
  const accepted = answer.headers['x-accepted-github-permissions'] ?? '';
  const remedy = findRemedy(answer);
  const missing = answer.status === 403 && remedy === undefined ? findMissingPermissions(accepted, permissions) : [];
  if (missing.length > 0) return new GitHubRefusal({ reason: 'permission_missing', missing, what }, { cause });
  return new GitHubRefusal({ reason: 'refused', what, words: describe(answer), remedy }, { cause });
}

/** Only the text differs: https://github.com/octokit/octokit.rb/blob/main/lib/octokit/error.rb */
const isSuspended = ({ status, data }: GitHubResponse): boolean =>
  status === 403 && /this installation has been suspended/i.test(parseRefusal(data).message);

/** A suspended installation is not a refusal of the request: it passes. */
export const isRefusal = (error: unknown): error is Refusal =>
  error instanceof Refusal && !(error instanceof GitHubRefusal && error.reason === 'installation_suspended');

function describe(answer: GitHubResponse): string {
  const { message, errors } = parseRefusal(answer.data);
  const details = errors.map((error) => error.message || [error.field, error.code].filter(Boolean).join(' '));
  const text = [message, ...details].filter(Boolean).join('; ').replace(/\s+/g, ' ').replace(/\.$/, '');
  return text === '' ? `it answered ${answer.status}` : text.slice(0, maxReasonLength).toWellFormed();
}

/** Only the text differs. */
const isAddressRefusal = (message: string): boolean => /\bIP allow list\b/i.test(message);

/** Only the text differs: https://github.com/renovatebot/renovate/issues/6215 (locked), https://github.com/r-universe-org/help/issues/247
 * (archived). For an archived repository, GitHub may send both. */
function findRemedy({ status, data }: GitHubResponse): Remedy | undefined {
  if (status !== 403) return undefined;
  const { message, documentation_url: documentation } = parseRefusal(data);
  // https://docs.github.com/en/apps/maintaining-github-apps/managing-allowed-ip-addresses-for-a-github-app
  if (isAddressRefusal(message)) return 'allow_address';
  if (/was archived/i.test(message)) return 'unarchive';
  return /locking-conversations/.test(documentation) || /is locked/i.test(message) ? 'unlock' : undefined;
}
