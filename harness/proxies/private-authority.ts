import { createPublicKey, generateKeyPairSync, randomBytes } from 'node:crypto';
import { mkdir, writeFile } from 'node:fs/promises';
import { isIP } from 'node:net';
import { join } from 'node:path';
import forge from 'node-forge';

export type Authority = Awaited<ReturnType<typeof createAuthority>>;

const lifetimeMs = 2 * 24 * 60 * 60 * 1000;

/** A private certificate authority, in `directory`. */
export async function createAuthority(directory: string) {
  await mkdir(directory, { recursive: true });
  const key = createKey();
  // A process that trusts two of them tells them apart by name.
  const subject = [{ name: 'commonName', value: `Private CA ${randomBytes(4).toString('hex')}` }];
  const certificate = sign({
    subject,
    issuer: subject,
    publicKey: key.publicKey,
    signer: key.privateKey,
    extensions: [
      { name: 'basicConstraints', cA: true, critical: true },
      { name: 'keyUsage', keyCertSign: true, critical: true },
    ],
  });
  const certificateFile = join(directory, 'ca.pem');
  await writeFile(certificateFile, certificate);
  return {
    /** For `NODE_EXTRA_CA_CERTS`. */
    certificateFile,
    /** A certificate for these names or addresses, and its key, both in PEM. */
    async issue(...names: [string, ...string[]]) {
      const [name] = names;
      const own = createKey();
      // https://datatracker.ietf.org/doc/html/rfc5280#section-4.2.1.6: 2 is a name, 7 an address.
      const altNames = names.map((each) => (isIP(each) === 0 ? { type: 2, value: each } : { type: 7, ip: each }));
      const cert = sign({
        issuer: subject,
        publicKey: own.publicKey,
        signer: key.privateKey,
        subject: [{ name: 'commonName', value: name }],
        extensions: [{ name: 'subjectAltName', altNames }],
      });
      const [keyFile, ownFile] = [join(directory, `${name}.key`), join(directory, `${name}.pem`)];
      await Promise.all([writeFile(keyFile, own.pem, { mode: 0o600 }), writeFile(ownFile, cert)]);
      return { keyFile, certificateFile: ownFile, key: own.pem, cert };
    },
  };
}

/** Node makes it: the library takes a second for a key. */
function createKey() {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const pem = privateKey.export({ type: 'pkcs1', format: 'pem' }).toString();
  const publicPem = createPublicKey(privateKey).export({ type: 'spki', format: 'pem' }).toString();
  return { pem, privateKey: forge.pki.privateKeyFromPem(pem), publicKey: forge.pki.publicKeyFromPem(publicPem) };
}

function sign({
  subject,
  issuer,
  publicKey,
  signer,
  extensions,
}: {
  subject: forge.pki.CertificateField[];
  issuer: forge.pki.CertificateField[];
  publicKey: forge.pki.rsa.PublicKey;
  signer: forge.pki.rsa.PrivateKey;
  extensions: object[];
}): string {
  const certificate = forge.pki.createCertificate();
  // Positive: https://datatracker.ietf.org/doc/html/rfc5280#section-4.1.2.2
  certificate.serialNumber = `01${randomBytes(15).toString('hex')}`;
  certificate.validity.notBefore = new Date(Date.now() - 60_000);
  certificate.validity.notAfter = new Date(Date.now() + lifetimeMs);
  certificate.publicKey = publicKey;
  certificate.setSubject(subject);
  certificate.setIssuer(issuer);
  certificate.setExtensions(extensions);
  certificate.sign(signer, forge.md.sha256.create());
  return forge.pki.certificateToPem(certificate);
}
