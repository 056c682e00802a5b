/** The arguments are wrong. The message is one line for the operator. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}
