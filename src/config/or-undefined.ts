/** What `read` returns, or undefined where it throws: for callers that name the problem themselves. */
export function orUndefined<Result>(read: () => Result): Result | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}
