import { ExpectedError } from '../../errors.ts';

/** A write got no usable answer, and GitHub may have done it. Look for its result, then adopt it or write again. */
export class AmbiguousWrite extends ExpectedError {
  override readonly name = 'AmbiguousWrite';
}

/** GitHub refuses the App's key (401) or knows no App with its id (404): a person has to correct one of them, or this machine's clock. */
export class AppKeyRefused extends ExpectedError {
  override readonly name = 'AppKeyRefused';
}

/** A read got no usable answer, also after retries: GitHub is down or unreachable. */
export class GitHubUnavailable extends ExpectedError {
  override readonly name = 'GitHubUnavailable';
}

/** GitHub refuses a token that it issued, or the token no longer reaches its repository: a new one works, or its refusal says why not. */
export class TokenLost extends ExpectedError {
  override readonly name = 'TokenLost';
}
