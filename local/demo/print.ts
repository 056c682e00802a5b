const isColoured = process.stdout.isTTY === true && process.env.NO_COLOR === undefined;
const paint = (code: number) => (text: string) => (isColoured ? `\x1b[${code}m${text}\x1b[0m` : text);

const bold = paint(1);
const dim = paint(2);
const red = paint(31);
const green = paint(32);
const cyan = paint(36);

export const print = {
  heading: (text: string) => console.log(`\n${bold(text)}`),
  line: (text: string) => console.log(text),
  note: (text: string) => console.log(dim(text)),
  request(method: string, url: string, body?: object) {
    const data = body ? ` \\\n    -H 'Content-Type: application/json' -d ${quote(JSON.stringify(body))}` : '';
    console.log(cyan(`$ curl -X ${method} ${url} \\\n    -H "Authorization: Bearer $PAGEWRIGHT_KEY"${data}`));
  },
  comment(who: string, where: string, text: string) {
    console.log(`  ${bold(who)} ${dim(`${where}:`)}`);
    for (const line of text.split('\n')) console.log(`  │ ${line}`);
  },
  json: (value: unknown) => console.log(JSON.stringify(value, null, 2)),
  diff(text: string) {
    for (const line of text.trimEnd().split('\n')) {
      const colour = line.startsWith('+') ? green : line.startsWith('-') ? red : line.startsWith('@@') ? cyan : String;
      console.log(`  ${colour(line)}`);
    }
  },
};

const quote = (text: string) => `'${text.replaceAll("'", `'\\''`)}'`;
