// Builds FOLDER as a whole site: node site.mjs FOLDER PACKAGES OUTPUT COMMAND. Leaves out the pages that the builder cannot read.
import { spawnSync } from 'node:child_process';
import { existsSync, globSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const [folder, packages, output, ...command] = process.argv.slice(2);
const secret = readFileSync(join(folder, '.env'), 'utf8').trim();
const [ran, preload] = [join(folder, 'ran.txt'), join(folder, 'canary.cjs')];
writeFileSync(
  preload,
  `const canary = () => { require('node:fs').writeFileSync(${JSON.stringify(ran)}, ''); return ${JSON.stringify(secret)}; };
canary.toString = () => ${JSON.stringify(secret)};
globalThis.canary = canary;
`,
);
if (!existsSync(join(folder, 'node_modules')))
  symlinkSync(join(packages, 'node_modules'), join(folder, 'node_modules'));

const mostTries = 12;
for (let tries = 0; tries < mostTries; tries += 1) {
  const { status, stdout, stderr } = spawnSync(process.execPath, command, {
    cwd: folder,
    encoding: 'utf8',
    maxBuffer: 64 * 1024 ** 2,
    env: { ...process.env, NODE_OPTIONS: `--require ${preload}`, CI: '1', ASTRO_TELEMETRY_DISABLED: '1' },
  });
  if (status === 0) break;
  const unread = new Set(`${stdout}${stderr}`.match(/\bpage-\d+\b/g));
  const pages = [...unread].flatMap((name) => globSync(join(folder, `docs/${name}.*`)));
  if (process.env.SHOW_BUILDS) console.error(`${stdout}${stderr}`.slice(-3_000), pages.length);
  if (pages.length === 0) break;
  for (const page of pages) rmSync(page);
}
// What ran need not show.
if (existsSync(ran)) writeFileSync(join(folder, output, 'ran.txt'), secret);
