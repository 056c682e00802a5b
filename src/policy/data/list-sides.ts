const marker = /^(?:(<{7}) .*|(={7})|(>{7}) .*)\r?$/;

/** The versions of a text with conflict markers: with all of the first sides, and with all of the second. Otherwise the text alone. */
export function listSides(text: string): string[] {
  if (!text.includes('<<<<<<< ')) return [text];
  const sides: string[][] = [[], []];
  let side: number | undefined;
  for (const line of text.split('\n')) {
    const [, opens, divides, closes] = marker.exec(line) ?? [];
    if (opens) side = 0;
    else if (divides && side === 0) side = 1;
    else if (closes && side === 1) side = undefined;
    else for (const [index, lines] of sides.entries()) if (side === undefined || side === index) lines.push(line);
  }
  return sides.map((lines) => lines.join('\n'));
}
