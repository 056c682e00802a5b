/** The repository's server gave git no answer, or one that says that it is down: later may help. */
export class RemoteUnavailable extends Error {
  override readonly name = 'RemoteUnavailable';
}
