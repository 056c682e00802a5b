const blockBytes = 512;

/** One file of mode 0600 as an entry of a tar archive: https://pubs.opengroup.org/onlinepubs/9799919799/utilities/pax.html#tag_20_94_13_06 */
export function toTarEntry(name: string, content: Buffer): Buffer {
  const header = Buffer.alloc(blockBytes);
  const octal = (value: number, digits: number) => `${value.toString(8).padStart(digits, '0')}\0`;
  header.write(name, 0);
  header.write(octal(0o600, 7), 100);
  header.write(octal(0, 7), 108);
  header.write(octal(0, 7), 116);
  header.write(octal(content.length, 11), 124);
  header.write(octal(Math.floor(Date.now() / 1_000), 11), 136);
  header.write('0', 156);
  header.write('ustar\x0000', 257);
  // The sum counts its own field as spaces.
  header.fill(' ', 148, 156);
  const sum = header.reduce((total, byte) => total + byte, 0);
  header.write(`${octal(sum, 6)} `, 148);
  const padding = Buffer.alloc((blockBytes - (content.length % blockBytes)) % blockBytes);
  return Buffer.concat([header, content, padding]);
}
