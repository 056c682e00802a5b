import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { useNetwork } from '../../src/config/network.ts';
import { openEmbeddedDatabase } from '../embedded-database.ts';
import { spawnService } from '../processes/spawn-service.ts';
import { finish } from '../script-steps.ts';
import { openWorld } from '../world.ts';
import { findFreePort } from './find-free-port.ts';
import { createAuthority } from './private-authority.ts';
import type { Report } from './report.ts';
import { startForwardProxy } from './start-forward-proxy.ts';
import { fronts } from './start-front.ts';
import { tryDatabase } from './try-database.ts';
import { checks, frontUrl } from './try-front.ts';

/**
 * npm run try-proxies [-- nginx caddy pgbouncer]: tries the samples of deploy/ and the advice of docs/operations/deploy.md about databases, with
 * TLS of a private authority. Needs Debian's nginx, caddy and pgbouncer in the PATH.
 */
const trials: Record<string, (report: Report) => Promise<void>> = {
  nginx: (report) => tryFront('nginx', report),
  caddy: (report) => tryFront('caddy', report),
  pgbouncer: tryDatabase,
};
const names = process.argv.slice(2);
let failed = 0;
for (const [name, tryIt] of Object.entries(trials)) {
  if (names.length > 0 && !names.includes(name)) continue;
  console.log(name);
  await tryIt((what, wrong) => {
    if (wrong !== undefined) failed += 1;
    console.log(`  ${wrong === undefined ? 'ok    ' : 'BROKEN'}  ${what}${wrong === undefined ? '' : `: ${wrong}`}`);
  });
}
process.exitCode = failed === 0 ? 0 : 1;

async function tryFront(name: keyof typeof fronts, report: Report): Promise<void> {
  const port = await findFreePort();
  const script = () => finish('Nothing has to change.');
  await using world = await openWorld({ script, openDatabase: openEmbeddedDatabase });
  const project = await world.addProject('acme', { 'index.md': '# Acme\n' });
  const authority = await createAuthority(join(world.directory, 'authority'));
  const certificate = await authority.issue('pagewright.example.com');
  // In place of DNS: the name leads to the proxy in front.
  await using dns = await startForwardProxy((target) => (target === 'pagewright.example.com:443' ? { port } : 502));
  const network = { HTTPS_PROXY: dns.url, NODE_EXTRA_CA_CERTS: authority.certificateFile };
  useNetwork(network);
  const environment = { PUBLIC_URL: frontUrl, ...network };
  const all = { ...world, ...project };
  await using service = await spawnService(all, { environment });
  const directory = join(world.directory, name);
  const servicePort = Number(new URL(service.url).port);
  await using _front = await fronts[name]({ directory, port, servicePort, ...certificate });
  for (const [what, check] of Object.entries(checks))
    report(what, await check(all, service.url).catch((error: Error) => String(error.cause ?? error)));
  const found = await runDoctor({ ...world.environment, ...environment });
  report(`the doctor: ${found}`, found.startsWith('ok') ? undefined : 'it is not content');
}

/** Its line about PUBLIC_URL. */
function runDoctor(environment: Record<string, string>): Promise<string> {
  const program = join(import.meta.dirname, '../../src/pagewright.ts');
  const { PATH, HOME } = process.env;
  return new Promise((done) => {
    execFile(process.execPath, [program, 'doctor'], { env: { PATH, HOME, ...environment } }, (_error, printed) =>
      done(printed.split('\n').find((line) => line.includes('public_url')) ?? printed),
    );
  });
}
