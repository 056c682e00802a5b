import { readFileSync } from 'node:fs';
import { setGlobalProxyFromEnv } from 'node:http';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';

type Environment = Readonly<Record<string, string | undefined>>;

/** The proxy as curl reads it: its lower-case names count more. Without NO_PROXY, this machine is reached directly. Empty without a proxy. */
export function readProxies(environment: Environment): Record<string, string> {
  const read = (name: string) => environment[name] || environment[name.toUpperCase()] || undefined;
  const [http, https] = [read('http_proxy'), read('https_proxy')];
  if (http === undefined && https === undefined) return {};
  return {
    ...(http !== undefined && { http_proxy: http }),
    ...(https !== undefined && { https_proxy: https }),
    no_proxy: read('no_proxy') ?? 'localhost,127.0.0.1,::1',
  };
}

/** Lets all requests of this process take the proxy and trust the certificates that the environment names: Node.js itself does not see `.env`. */
export function useNetwork(environment: Environment): void {
  const proxies = readProxies(environment);
  const { http_proxy: http = '', https_proxy: https = '' } = proxies;
  // A proxy that is no URL is not used: the doctor, which runs after each start, says so.
  if (http + https !== '' && [http, https].every((proxy) => proxy === '' || URL.canParse(proxy)))
    setGlobalProxyFromEnv(proxies);
  const ca = environment.NODE_EXTRA_CA_CERTS;
  if (ca === undefined || ca === '') return;
  try {
    setDefaultCACertificates([...getCACertificates('default'), readFileSync(ca, 'utf8')]);
  } catch {
    // As Node.js does: the doctor says that the file cannot be read.
  }
}
