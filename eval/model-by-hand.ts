import { once } from 'node:events';
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { startModelByHand } from './by-hand/start-model-by-hand.ts';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { port: { type: 'string', default: '0' } },
});
const [directory, ...rest] = positionals;
const port = Number(values.port);
if (directory === undefined || rest.length > 0 || !Number.isInteger(port)) {
  console.error('usage: npm run -s model-by-hand -- DIRECTORY [--port N]');
  process.exit(2);
}

const stopping = new AbortController();
for (const name of ['SIGINT', 'SIGTERM'] as const) process.once(name, () => stopping.abort());
await using server = await startModelByHand({
  directory: resolve(directory),
  port,
  onRequest: (folder, { turn }) =>
    console.log(`turn ${turn + 1}: read ${folder}/request.md, then write answer.json there`),
  onProblem: (text) => console.log(text),
  signal: stopping.signal,
});
console.log(`OPENAI_BASE_URL=${server.url}`);
if (!stopping.signal.aborted) await once(stopping.signal, 'abort');
