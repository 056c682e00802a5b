import { execFile } from 'node:child_process';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { isIP } from 'node:net';
import { join } from 'node:path';
import { promisify } from 'node:util';

export type Authority = Awaited<ReturnType<typeof createAuthority>>;

/** A certificate authority of one's own, in `directory`, by the program openssl. */
export async function createAuthority(directory: string) {
  await mkdir(directory, { recursive: true });
  const openssl = (...args: string[]) => promisify(execFile)('openssl', args, { cwd: directory });
  const newKey = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', '2'];
  await openssl('req', '-x509', ...newKey, '-subj', '/CN=Private CA', '-keyout', 'ca.key', '-out', 'ca.pem');
  return {
    /** For `NODE_EXTRA_CA_CERTS`. */
    certificateFile: join(directory, 'ca.pem'),
    /** A certificate for these names or addresses, and its key, both in PEM. */
    async issue(...names: [string, ...string[]]) {
      const [name] = names;
      const [keyFile, certificateFile] = [join(directory, `${name}.key`), join(directory, `${name}.pem`)];
      const alternatives = names.map((each) => `${isIP(each) === 0 ? 'DNS' : 'IP'}:${each}`).join(',');
      await writeFile(join(directory, `${name}.ext`), `subjectAltName=${alternatives}\n`);
      await openssl('req', ...newKey.slice(0, -2), '-subj', `/CN=${name}`, '-keyout', keyFile, '-out', `${name}.csr`);
      const by = ['-CA', 'ca.pem', '-CAkey', 'ca.key', '-CAcreateserial', '-days', '2', '-extfile', `${name}.ext`];
      await openssl('x509', '-req', '-in', `${name}.csr`, ...by, '-out', certificateFile);
      const [key, cert] = await Promise.all([readFile(keyFile, 'utf8'), readFile(certificateFile, 'utf8')]);
      return { keyFile, certificateFile, key, cert };
    },
  };
}
