/** The demo could not show what it is for, through no error of its own; the message says why, for the person who watches. */
export class DemoFailure extends Error {
  override readonly name = 'DemoFailure';
}
