interface Braces {
  inside: string;
  start: number;
  end: number;
}

/** The texts between two marks, in order, in linear time. Skips an opening mark without an end. */
export function* listBraces(text: string, open: string, close: string): Generator<Braces> {
  for (let start = text.indexOf(open); start !== -1; ) {
    const end = text.indexOf(close, start + open.length);
    if (end === -1) return;
    yield { inside: text.slice(start + open.length, end), start, end: end + close.length };
    start = text.indexOf(open, end + close.length);
  }
}
