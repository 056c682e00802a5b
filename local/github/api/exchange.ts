/** One request to the REST API and its answer, as they were on the wire. */
export interface Exchange {
  method: string;
  /** Decoded, without the API's own path. */
  path: string;
  query: Record<string, string>;
  body: unknown;
  status: number;
  answer: unknown;
}
