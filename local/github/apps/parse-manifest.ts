import { z } from 'zod';
import { ApiError } from '../api/api-error.ts';
import { permissionOfEvent, unaskedEvents } from '../events/event-permissions.ts';
import { hasPermission } from '../state/permissions.ts';
import { knownPermissions } from './known-permissions.ts';

const absoluteUrl = z.url({ protocol: /^https?$/, error: 'must be a valid URL' });

/** https://docs.github.com/en/apps/sharing-github-apps/registering-a-github-app-from-a-manifest#github-app-manifest-parameters */
const manifest = z
  .object({
    name: z.string().trim().min(1, "can't be blank").max(34, 'is too long (maximum is 34 characters)'),
    url: absoluteUrl,
    hook_attributes: z.object({ url: absoluteUrl, active: z.boolean().default(true) }).optional(),
    redirect_url: absoluteUrl,
    callback_urls: z.array(absoluteUrl).max(10, 'are more than 10').default([]),
    setup_url: absoluteUrl.optional(),
    description: z.string().default(''),
    public: z.boolean().default(false),
    default_permissions: z.record(z.string(), z.enum(['read', 'write', 'admin'])).default({}),
    default_events: z.array(z.string()).default([]),
  })
  .superRefine(({ default_permissions: requested, default_events: events }, context) => {
    const granted = { metadata: 'read' as const, ...requested };
    for (const [name, level] of Object.entries(requested)) {
      if (knownPermissions[name]?.includes(level)) continue;
      context.addIssue({ code: 'custom', path: ['default_permissions'], message: `unsupported: ${name}: ${level}` });
    }
    for (const event of events) {
      const permission = permissionOfEvent[event];
      if (permission !== undefined && hasPermission(granted, permission, 'read')) continue;
      const reason = unaskedEvents.includes(event) ? ' (every App receives it)' : '';
      context.addIssue({ code: 'custom', path: ['default_events'], message: `unsupported: ${event}${reason}` });
    }
  });

export type Manifest = z.output<typeof manifest>;

/** Takes an object or its JSON text. Throws `ApiError` 422 that names every problem. */
export function parseManifest(input: unknown): Manifest {
  const parsed = manifest.safeParse(typeof input === 'string' ? parseJson(input) : input);
  if (parsed.success) return parsed.data;
  const problems = parsed.error.issues.map(({ path, message }) => `${path.join('.') || 'manifest'}: ${message}`);
  throw new ApiError(422, `Invalid GitHub App configuration. ${problems.join('; ')}`);
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
