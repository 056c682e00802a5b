/** A request that is about to be sent in the name of an installation. */
export interface RequestToAdmit {
  installationId: number;
  /** Whether it changes something there, and so needs a slot of its own among all that does. */
  isWrite: boolean;
  /** How long it may be kept waiting for its slot. */
  patienceMs: number;
  signal: AbortSignal;
}

export interface Admission {
  /** How long it was kept waiting. */
  waitedMs: number;
  /** Whether GitHub has refused this installation a request because of a limit, and has taken none from it since. */
  wasLimited: boolean;
}

/**
 * Returns when a request may be sent. Throws `Parked` while a limit keeps this installation from asking GitHub, or when the slot of a write
 * is further away than its patience, and the signal's reason when aborted while waiting.
 */
export type Admit = (request: RequestToAdmit) => Promise<Admission>;

/**
 * Asking whether a request may be sent failed, or keeping what GitHub said of its limits did. Neither is an error of GitHub's, so
 * `Connection` throws the cause of this as it is.
 */
export class AdmissionFailed extends Error {
  override readonly name = 'AdmissionFailed';
}

/** Token minting and revoking count against the App, whoever's token it is. */
const appWide = new Set(['/app/installations/{installation_id}/access_tokens', '/installation/token']);

/** Whether a request counts against the installation whose token it is sent with. */
export const countsForInstallation = ({ url }: { url: string }): boolean => !appWide.has(url);

/** Whether a request is one of those that GitHub wants a second between: https://docs.github.com/en/rest/using-the-rest-api/best-practices-for-using-the-rest-api#pause-between-mutative-requests */
export function isInstallationWrite(request: { method: string; url: string; query?: unknown }): boolean {
  const { method, url, query } = request;
  if (method === 'GET' || method === 'HEAD' || !countsForInstallation(request)) return false;
  return !url.endsWith('/graphql') || /^\s*mutation\b/.test(String(query));
}
