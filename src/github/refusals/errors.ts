/**
 * A write got no clear answer (network, time-out, 5xx, half a body): GitHub may have done it or not.
 * It was sent once and is not sent again here; whoever catches this reads the world first, then adopts what it finds or writes anew.
 */
export class AmbiguousWrite extends Error {
  override readonly name = 'AmbiguousWrite';
}

/** GitHub refuses what is signed with the App's key (401): the key is not the App's, or this machine's clock is wrong. A person must see to it. */
export class AppKeyRefused extends Error {
  override readonly name = 'AppKeyRefused';
}

/** A read got no usable answer three times (network, time-out, 5xx): GitHub is down or out of reach, and later may help. */
export class GitHubUnavailable extends Error {
  override readonly name = 'GitHubUnavailable';
}
