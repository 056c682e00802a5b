/**
 * A write got no clear answer (network, time-out, 5xx, half a body): GitHub may have done it or not.
 * It was sent once and is not sent again here; whoever catches this reads the world first, then adopts what it finds or writes anew.
 */
export class AmbiguousWrite extends Error {
  override readonly name = 'AmbiguousWrite';
}
