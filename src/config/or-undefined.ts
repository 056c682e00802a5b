/** For readers that answer bad input with an error, where the caller names the problem itself. */
export function orUndefined<Result>(read: () => Result): Result | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}
