/** Returns the rejection of a promise; undefined when it resolves. */
export const catchError = (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(
    () => undefined,
    (error: unknown) => error,
  );
