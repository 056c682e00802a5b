const folders = ['.aws', '.gnupg', '.kube', '.ssh'];

const names = [
  ...['.env', '.envrc', '.git-credentials', '.htpasswd', '.my.cnf', '.netrc', '.npmrc', '.pgpass', '.pypirc'],
  ...['.s3cfg', '.vault_pass', '.yarnrc.yml', '_netrc', 'credentials', 'kubeconfig'],
];

const endings = [
  ...['.agekey', '.env', '.jks', '.kdb', '.kdbx', '.key', '.keystore', '.ovpn', '.p12', '.p8', '.pem', '.pfx', '.ppk'],
  ...['.tfstate', '.tfvars'],
];

const patterns = [/^\.env\./, /^id_(?:rsa|dsa|ecdsa|ed25519)(?:_sk)?$/, /^client_secret.*\.json$/];
const serviceAccount = /(?:^|[-_.])service[-_]?account[-_.]/;

/** What a project publishes about its variables: https://www.dotenv.org/docs/security/env-example */
const example = /\.(?:example|sample|template|dist)$/;
const page = /\.(?:mdx?|mdoc|markdown|rst|adoc|asciidoc)$/;

/** Whether a file's name, in any letter case, is one of files with secrets. Never true for pages and for examples of variables. */
export function isSecretPath(path: string): boolean {
  const segments = fold(path).split('/');
  const name = segments.at(-1) ?? '';
  if (page.test(name) || example.test(name)) return false;
  return (
    segments.slice(0, -1).some((folder) => folders.includes(folder)) ||
    names.includes(name) ||
    endings.some((ending) => name.endsWith(ending)) ||
    patterns.some((pattern) => pattern.test(name)) ||
    (name.endsWith('.json') && serviceAccount.test(name))
  );
}

const fold = (path: string) => path.normalize('NFKC').toLowerCase();
