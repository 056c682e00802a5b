/** The words of a text: long lists of names and addresses are read easier so. */
export const list = (text: string): string[] => text.trim().split(/\s+/);
