/** The characters of a percent-encoded address, or the address itself if it is not well-formed. */
export function decodeAddress(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
