/** The demo failed outside its own code. The message tells the person who watches why. */
export class DemoFailure extends Error {
  override readonly name = 'DemoFailure';
}
