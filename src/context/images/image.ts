/** An image that goes with an instruction, verified by `findImageType`. */
export interface Image {
  mediaType: ImageType;
  content: Uint8Array;
}

export const imageTypes = ['image/png', 'image/jpeg', 'image/webp', 'image/gif'] as const;
type ImageType = (typeof imageTypes)[number];

/** For each message. */
export const maxImages = 5;
export const maxImageBytes = 4 * 1024 * 1024;

/** In Latin-1; a dot is any byte. */
const starts: readonly [ImageType, string][] = [
  ['image/png', '\x89PNG\r\n\x1a\n'],
  ['image/jpeg', '\xff\xd8\xff'],
  ['image/gif', 'GIF87a'],
  ['image/gif', 'GIF89a'],
  ['image/webp', 'RIFF....WEBP'],
];

/** By the first bytes, whatever the name says. Undefined: no image that models know. */
export function findImageType(content: Uint8Array): ImageType | undefined {
  const start = Buffer.from(content.subarray(0, 12)).toString('latin1');
  const agrees = (expected: string) => [...expected].every((char, at) => char === '.' || char === start[at]);
  return starts.find(([, expected]) => agrees(expected))?.[0];
}
