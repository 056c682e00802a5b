/** Why a request got no answer: the code of the last cause, or its message. `fetch` itself says only that it failed. */
export function describeCause(error: unknown): string {
  const last = findLastCause(error);
  if (!(last instanceof Error)) return 'unknown';
  const code = 'code' in last && typeof last.code === 'string' ? last.code : undefined;
  return code ?? (last.message || last.name);
}

export function findLastCause(error: unknown): unknown {
  return error instanceof Error && error.cause instanceof Error ? findLastCause(error.cause) : error;
}
