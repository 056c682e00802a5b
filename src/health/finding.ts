/** The result of one check: `detail` is the fact, `todo` the remedy. */
export type Finding =
  | { state: 'ok'; detail: string }
  | {
      state: 'warning' | 'broken';
      detail: string;
      todo: string;
      /** Repairs it if nothing can be lost, and returns a description of the repair. */
      fix?: () => Promise<string>;
    };

/** `find` throws if nothing can be known now, for example while GitHub is down. */
export interface HealthCheck<Part extends string = string> {
  part: Part;
  /** Says nothing of its own while this part is broken. */
  after?: string;
  find(signal: AbortSignal): Promise<Finding>;
}

export const ok = (detail: string): Finding => ({ state: 'ok', detail });
export const warning = (detail: string, todo: string): Finding => ({ state: 'warning', detail, todo });
export const broken = (detail: string, todo: string): Finding => ({ state: 'broken', detail, todo });

/** By the codes of OpenSSL and of Node.js: https://nodejs.org/docs/latest-v24.x/api/tls.html#x509-certificate-error-codes */
const causes: [code: RegExp, why: string, todo: string][] = [
  [/^CERT_HAS_EXPIRED$/, 'its certificate has expired', 'Renew the certificate, or correct the clock of this machine.'],
  [/^CERT_NOT_YET_VALID$/, 'its certificate is not valid yet', 'Correct the clock of this machine.'],
  [
    /^ERR_TLS_CERT_ALTNAME_INVALID$/,
    'its certificate is for another name',
    'Use the name that is in the certificate, or give the server a certificate for this one.',
  ],
  [
    /CERT|SELF_SIGNED|UNABLE_TO_VERIFY/,
    'its certificate is of an authority that this machine does not trust',
    'Set NODE_EXTRA_CA_CERTS to a file with the certificate of that authority in PEM, in .env or in the environment: of your own, or of a proxy that reads the traffic.',
  ],
  [/^ENOTFOUND$|^EAI_/, 'its name is not known', 'Check the name, and DNS on this machine.'],
  [/^ECONNREFUSED$/, 'nothing listens there', 'Check host and port, and start the server.'],
];

/** Why a request got no answer: the last cause in words, or its code or message. `fetch` itself says only that it failed. */
export function describeCause(error: unknown): string {
  const code = findCode(error);
  const [, why] = findKnown(code) ?? [];
  return why === undefined ? code : `${why}, ${code}`;
}

/** What to do where nothing answers; undefined: the cause has no remedy of its own. */
export const findRemedy = (error: unknown): string | undefined => findKnown(findCode(error))?.[2];

const findKnown = (code: string) => causes.find(([pattern]) => pattern.test(code));

function findCode(error: unknown): string {
  const last = findLastCause(error);
  if (!(last instanceof Error)) return 'unknown';
  const code = 'code' in last && typeof last.code === 'string' ? last.code : undefined;
  return code ?? (last.message || last.name);
}

export function findLastCause(error: unknown): unknown {
  return error instanceof Error && error.cause instanceof Error ? findLastCause(error.cause) : error;
}
