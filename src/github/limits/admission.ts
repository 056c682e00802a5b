export interface RequestToAdmit {
  installationId: number;
  /** Writes need a slot: GitHub wants a pause between them. */
  isWrite: boolean;
  patienceMs: number;
  signal: AbortSignal;
}

export interface Admission {
  waitedMs: number;
  wasLimited: boolean;
}

/** Returns when a request may be sent. Throws `Parked` during a rate limit, or when a write's slot is later than the write may wait. */
export type Admit = (request: RequestToAdmit) => Promise<Admission>;

/** Reading or storing rate limits failed, not GitHub: `Connection` throws the cause. */
export class AdmissionFailed extends Error {
  override readonly name = 'AdmissionFailed';
}

/** Minting and revoking a token count against the App. */
const appWide = new Set(['/app/installations/{installation_id}/access_tokens', '/installation/token']);

export const countsForInstallation = ({ url }: { url: string }): boolean => !appWide.has(url);

/** https://docs.github.com/en/rest/using-the-rest-api/best-practices-for-using-the-rest-api#pause-between-mutative-requests */
export function isInstallationWrite(request: { method: string; url: string; query?: unknown }): boolean {
  const { method, url, query } = request;
  if (method === 'GET' || method === 'HEAD' || !countsForInstallation(request)) return false;
  return !url.endsWith('/graphql') || /^\s*mutation\b/.test(String(query));
}
