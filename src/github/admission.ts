/** A request that is about to be sent in the name of an installation. */
export interface RequestToAdmit {
  installationId: number;
  /** Whether it changes something there, and so has to take its turn among all that does. */
  isWrite: boolean;
  /** For as long it may be kept waiting for its turn. */
  patienceMs: number;
  signal: AbortSignal;
}

export interface Admission {
  /** For how long it was kept waiting. */
  waitedMs: number;
  /** Whether GitHub refused this installation something by a limit, and has not taken anything from it since. */
  wasLimited: boolean;
}

/**
 * Lets a request be sent now, or throws `Parked`: GitHub does not listen to this installation, or the turn of the write is further away
 * than its patience. Throws the signal's reason when aborted while waiting.
 */
export type Admit = (request: RequestToAdmit) => Promise<Admission>;

/**
 * It could not be found out whether a request may be sent, or kept what GitHub said of its limits: nothing of GitHub's. What is thrown on
 * in its place is its cause.
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
