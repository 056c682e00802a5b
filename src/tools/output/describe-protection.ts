import type { Access } from '../../policy/policy.ts';

/** Completes "docs/x.md is". Undefined: an edit may change the file. */
export function describeProtection(access: Access, path: string): string | undefined {
  if (access.kind !== 'protected') return undefined;
  // The reason of the settings is a sentence about the path.
  const reason = access.reason.startsWith(`${path} is `) ? `it ${access.reason.slice(path.length + 1)}` : access.reason;
  return `protected because ${reason}`;
}
