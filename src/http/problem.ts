/** One thing wrong with a request: `pointer` is a JSON Pointer into its body, as a URI fragment. */
export interface FieldError {
  pointer: string;
  detail: string;
}

/**
 * Each kind of problem: what follows `urn:pagewright:problem:` in `type`, with its status and title. Kinds and statuses never change,
 * because clients rely on them.
 */
export const problemKinds = {
  'invalid-request': { status: 400, title: 'The request is not valid' },
  unauthorized: { status: 401, title: 'Valid credentials are required' },
  'not-found': { status: 404, title: 'Not found' },
  'method-not-allowed': { status: 405, title: 'Method not allowed' },
  'job-archived': { status: 409, title: 'The job is archived' },
  'repository-gone': { status: 409, title: 'The repository is out of reach' },
  'content-too-large': { status: 413, title: 'The body is too large' },
  'unsupported-media-type': { status: 415, title: 'The body is not JSON' },
  'rate-limited': { status: 429, title: 'Too many requests' },
  'too-many-waiting': { status: 429, title: 'Too many messages wait in this job' },
  internal: { status: 500, title: 'Something went wrong on our side' },
  unavailable: { status: 503, title: 'The service cannot answer right now' },
} as const;

export type ProblemKind = keyof typeof problemKinds;

/** An answer that is not a success; `server.ts` sends it as RFC 9457 has it. https://www.rfc-editor.org/rfc/rfc9457 */
export class Problem extends Error {
  override readonly name = 'Problem';
  readonly kind: ProblemKind;
  readonly headers: Record<string, string>;
  /** Members that this problem has beside the standard ones. */
  readonly extensions: object;

  /** `detail` is for the caller: what is wrong and what to do. */
  constructor(
    kind: ProblemKind,
    detail: string,
    {
      headers = {},
      extensions = {},
      cause,
    }: { headers?: Record<string, string>; extensions?: object; cause?: unknown } = {},
  ) {
    super(detail, { cause });
    this.kind = kind;
    this.headers = headers;
    this.extensions = extensions;
  }
}

/** The body of a problem, `error` being `detail` for clients of the older shape. */
export function formatProblem({ kind, message, extensions }: Problem, requestId: string) {
  const { status, title } = problemKinds[kind];
  return {
    type: `urn:pagewright:problem:${kind}`,
    title,
    status,
    detail: message,
    instance: `urn:uuid:${requestId}`,
    error: message,
    ...extensions,
  };
}
