import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { stripTypeScriptTypes } from 'node:module';
import { dirname, join, resolve } from 'node:path';

// Node refuses TypeScript below node_modules, so the package holds JavaScript. Types become blanks and `.ts` in a path becomes `.js`:
// each line and column stays, so a stack trace of the package points into the sources without source maps.
const root = join(import.meta.dirname, '../..');
const output = join(root, 'dist');

rmSync(output, { recursive: true, force: true });
build(join(root, 'src'), output);
// The image, and a bench, need no client.
if (process.argv[2] !== '--service') buildClient();

function buildClient(): void {
  build(join(root, 'client'), join(output, 'client'));
  execFileSync(join(root, 'node_modules/.bin/tsc'), ['--project', import.meta.dirname], { stdio: 'inherit' });
  const types = join(output, 'client/client.d.ts');
  writeFileSync(types, readFileSync(types, 'utf8').replace("'./schemas.ts'", "'./schemas.js'"));
}

function build(source: string, target: string): void {
  cpSync(source, target, { recursive: true, filter: (path) => !path.endsWith('.ts') });
  for (const name of readdirSync(source, { recursive: true, encoding: 'utf8' })) {
    const path = join(source, name);
    if (name.endsWith('.ts')) writeFileSync(join(target, name.replace(/\.ts$/, '.js')), toJavaScript(path));
  }
}

function toJavaScript(path: string): string {
  return stripTypeScriptTypes(readFileSync(path, 'utf8')).replace(
    /(?<=(['"]))(\.{1,2}\/[^'"\s]+)\.ts(?=\1)/g,
    (found, _quote: string, name: string) => (existsSync(resolve(dirname(path), found)) ? `${name}.js` : found),
  );
}
