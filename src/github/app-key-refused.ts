/** GitHub takes nothing that is signed with the App's key (401): it is not the App's, or this machine's clock is wrong. A person has to see to it. */
export class AppKeyRefused extends Error {
  override readonly name = 'AppKeyRefused';
}
