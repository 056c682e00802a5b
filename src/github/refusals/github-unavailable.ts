/** A read got no usable answer three times (network, time-out, 5xx): GitHub is down or out of reach, and later may help. */
export class GitHubUnavailable extends Error {
  override readonly name = 'GitHubUnavailable';
}
