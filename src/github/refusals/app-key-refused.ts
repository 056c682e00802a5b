/** GitHub refuses what is signed with the App's key (401): the key is not the App's, or this machine's clock is wrong. A person must see to it. */
export class AppKeyRefused extends Error {
  override readonly name = 'AppKeyRefused';
}
