import { existsSync } from 'node:fs';
import { z } from 'zod';
import { findIgnoredExceptions } from '../config/network.ts';
import { isLoopbackUrl } from '../config/urls.ts';
import { broken, describeCause, findRemedy, type HealthCheck, ok, warning } from './finding.ts';

/** GitHub refuses a token that was issued 60 s in its future. https://docs.github.com/en/apps/creating-github-apps/authenticating-with-a-github-app/generating-a-json-web-token-jwt-for-a-github-app */
const mostAheadMs = 60_000;

/** Compares the clock with that of GitHub. */
export const createClockCheck = (apiUrl: string): HealthCheck => ({
  part: 'clock',
  async find(signal) {
    const response = await fetch(apiUrl, { redirect: 'manual', signal });
    await response.body?.cancel();
    const theirs = Date.parse(response.headers.get('date') ?? '');
    if (Number.isNaN(theirs)) throw new Error('GitHub sent no date');
    const aheadMs = Date.now() - theirs;
    const detail = `the clock differs from GitHub’s by ${Math.abs(Math.round(aheadMs / 1_000))} s`;
    const todo = 'Synchronize the clock of the machine, with chrony or systemd-timesyncd.';
    if (Math.abs(aheadMs) > mostAheadMs) return broken(detail, todo);
    return Math.abs(aheadMs) > mostAheadMs / 3 ? warning(detail, todo) : ok(detail);
  },
});

const echoSchema = z.object({ host: z.string(), scheme: z.string() });
/** Half of the pause between the two events of `/livez/stream`. */
const leastPauseMs = 250;

/** Asks the service through its proxy, as a browser does: does the proxy keep the host, and pass on a stream at once? */
export const createPublicUrlCheck = (publicUrl: string | null): HealthCheck => ({
  part: 'public_url',
  async find(signal) {
    if (publicUrl === null)
      return warning('PUBLIC_URL is not set', 'Set it to the https address at which GitHub reaches Pagewright.');
    const response = await fetch(`${publicUrl}/livez/stream`, { redirect: 'manual', signal }).catch(
      (error: unknown) => ({ error }),
    );
    if (!(response instanceof Response)) {
      return warning(
        `nothing answers at ${publicUrl} (${describeCause(response.error)})`,
        `${findRemedy(response.error) ?? 'Start the service and its proxy, and check again.'} Inside your network, the name may resolve to another address than for GitHub.`,
      );
    }
    const { first, pauseMs } = await readEvents(response);
    const seen = echoSchema.safeParse(first).data;
    if (!response.ok || seen === undefined)
      return broken(
        `${publicUrl} answers ${response.status}, but not as Pagewright`,
        'Let the proxy pass every path to HOST and PORT. Samples for nginx and Caddy are in deploy/.',
      );
    const { host, protocol } = new URL(publicUrl);
    if (seen.host !== host)
      return broken(
        `the proxy sends the host ${seen.host}, not ${host}, so nobody can sign in`,
        'Let it pass on the header Host with its port: proxy_set_header Host $http_host in nginx.',
      );
    if (`${seen.scheme}:` !== protocol && !isLoopbackUrl(publicUrl))
      return warning(`the proxy says ${seen.scheme}, not ${protocol}//`, 'Let it send X-Forwarded-Proto.');
    if (pauseMs < leastPauseMs)
      return warning(
        'the proxy holds streams back: pages and callers see events late',
        'Switch its buffering off: proxy_buffering off in nginx, flush_interval -1 in Caddy.',
      );
    return ok(`${publicUrl} leads to Pagewright, and streams arrive at once`);
  },
});

async function readEvents(response: Response): Promise<{ first: unknown; pauseMs: number }> {
  let text = '';
  let began: number | undefined;
  const decoder = new TextDecoder();
  for await (const chunk of response.body ?? []) {
    text += decoder.decode(chunk, { stream: true });
    began ??= performance.now();
    if (text.length > 10_000) break;
  }
  const pauseMs = began === undefined ? 0 : performance.now() - began;
  try {
    return { first: JSON.parse(/^data: (.*)$/m.exec(text)?.[1] ?? ''), pauseMs };
  } catch {
    return { first: undefined, pauseMs };
  }
}

type Environment = Readonly<Record<string, string | undefined>>;

/** Checks the settings for a proxy and certificates between this machine and the internet. */
export const createOutboundCheck = (environment: Environment): HealthCheck => ({
  part: 'outbound',
  async find() {
    const proxy = environment.https_proxy ?? environment.HTTPS_PROXY ?? '';
    const ca = environment.NODE_EXTRA_CA_CERTS ?? '';
    if (ca !== '' && !existsSync(ca))
      return broken(`NODE_EXTRA_CA_CERTS names ${ca}, which cannot be read`, 'Name a file with certificates in PEM.');
    if (proxy !== '' && !/^https?:$/.test(URL.parse(proxy)?.protocol ?? ''))
      return broken('HTTPS_PROXY is not an http URL', 'Write it as http://proxy.example.com:3128.');
    const ignored = proxy === '' ? [] : findIgnoredExceptions(environment);
    if (ignored.length > 0)
      return warning(
        `NO_PROXY has ${ignored.join(', ')}, which is ignored`,
        'Write host names, .domains, IPv4 addresses, or blocks of IPv4 addresses such as 10.0.0.0/8.',
      );
    const by = proxy === '' ? 'directly' : `by the proxy ${new URL(proxy).host}`;
    return ok(`requests leave ${by}${ca === '' ? '' : `, and trust the certificates of ${ca}`}`);
  },
});
