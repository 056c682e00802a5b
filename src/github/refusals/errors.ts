/** A write got no usable answer, and GitHub may have done it. Look for its result, then adopt it or write again. */
export class AmbiguousWrite extends Error {
  override readonly name = 'AmbiguousWrite';
}

/** GitHub refuses the App's key (401) or knows no App with its id (404): a person has to correct one of them, or this machine's clock. */
export class AppKeyRefused extends Error {
  override readonly name = 'AppKeyRefused';
}

/** A read got no usable answer, also after retries: GitHub is down or unreachable. */
export class GitHubUnavailable extends Error {
  override readonly name = 'GitHubUnavailable';
}
