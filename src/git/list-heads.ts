import { realTiming } from '../timing.ts';
import { basicAuthorization, type Credential } from './git-environment.ts';

/** A longer list is cut. */
const maxBytes = 16 * 1024 ** 2;

/**
 * The branches of a remote that begin with a prefix, with their tips: one request of git's protocol, where `git ls-remote` needs two, a
 * connection of its own and two processes. https://git-scm.com/docs/protocol-v2#_ls_refs
 */
export async function listHeads(
  { url, token }: Credential,
  { prefixes, signal }: { prefixes: readonly string[]; signal: AbortSignal },
): Promise<[branch: string, sha: string][]> {
  const response = await fetch(`${url}/git-upload-pack`, {
    method: 'POST',
    headers: {
      authorization: basicAuthorization(token),
      'git-protocol': 'version=2',
      'content-type': 'application/x-git-upload-pack-request',
      accept: 'application/x-git-upload-pack-result',
    },
    body: [
      ...[writeLine('command=ls-refs'), separator],
      ...prefixes.map((prefix) => writeLine(`ref-prefix ${heads}${prefix}`)),
      end,
    ].join(''),
    redirect: 'manual',
    signal: AbortSignal.any([signal, AbortSignal.timeout(realTiming.git.commandTimeoutMs)]),
  });
  if (response.status !== 200 || response.body === null) {
    await response.body?.cancel();
    throw new Error(`could not list the branches of ${url}: ${response.status}`);
  }
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of response.body) {
    chunks.push(chunk);
    bytes += chunk.length;
    if (bytes > maxBytes) break;
  }
  return parseHeads(Buffer.concat(chunks));
}

const heads = 'refs/heads/';
/** https://git-scm.com/docs/protocol-common#_pkt_line_format */
const separator = '0001';
const end = '0000';

const writeLine = (text: string) => {
  const length = Buffer.byteLength(text) + 5;
  return `${length.toString(16).padStart(4, '0')}${text}\n`;
};

function parseHeads(answer: Buffer): [branch: string, sha: string][] {
  const found: [string, string][] = [];
  for (let at = 0; at + 4 <= answer.length; ) {
    const length = Number.parseInt(answer.toString('latin1', at, at + 4), 16);
    if (length === 0) return found;
    if (at + length > answer.length) break;
    const line = answer.toString('utf8', at + 4, at + length);
    const [, sha, branch] = /^([0-9a-f]{40,64}) refs\/heads\/(\S+)/.exec(line) ?? [];
    if (sha === undefined || branch === undefined)
      throw new Error(`could not read a list of branches: ${line.slice(0, 200)}`);
    found.push([branch, sha]);
    at += length;
  }
  if (answer.length > maxBytes) return found;
  throw new Error('a list of branches broke off');
}
