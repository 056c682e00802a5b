/** Does each part of a work, one after the other; one that throws keeps no other from being done. What went wrong is thrown at the end. */
export async function doEach(parts: readonly (() => Promise<void>)[]): Promise<void> {
  const errors: unknown[] = [];
  for (const part of parts) await part().catch((error: unknown) => errors.push(error));
  if (errors.length > 1) throw new AggregateError(errors, 'several parts failed');
  if (errors.length > 0) throw errors[0];
}
