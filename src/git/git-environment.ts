import { isAbsolute } from 'node:path';
import { readProxies } from '../config/network.ts';

/** Passed only in the environment of the process that contacts the remote. */
export interface Credential {
  url: string;
  token: string;
}

const usualFolders = ['/usr/local/bin', '/usr/bin', '/bin', '/opt/homebrew/bin'];

/** As PATH. Relative folders are left out: git works in folders whose files are not ours, and a file there must never run. */
export function listProgramFolders(path = ''): string {
  return [...new Set([...path.split(':').filter((folder) => isAbsolute(folder)), ...usualFolders])].join(':');
}

/** No configuration of the service, machine or repository, and no feature that lets a hostile repository execute, follow or fetch.
 * https://git-scm.com/docs/git-config, https://git-scm.com/docs/git#_environment_variables */
export function createGitEnvironment(options: {
  allowHttp: boolean;
  path: string;
  credential?: Credential | undefined;
  /** Names the proxy and certificates of the service. */
  network?: Readonly<Record<string, string | undefined>>;
}): Record<string, string> {
  const { allowHttp, path, credential, network = process.env } = options;
  const config = credential ? [...fixedConfig(allowHttp), authorization(credential)] : fixedConfig(allowHttp);
  const environment: Record<string, string> = {
    PATH: path,
    HOME: '/nonexistent',
    LC_ALL: 'C',
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_CONFIG_GLOBAL: '/dev/null',
    GIT_TERMINAL_PROMPT: '0',
    GIT_ASKPASS: '/bin/false',
    GIT_LFS_SKIP_SMUDGE: '1',
    GIT_ATTR_NOSYSTEM: '1',
    GIT_OPTIONAL_LOCKS: '0',
    GIT_LITERAL_PATHSPECS: '1',
    // A missing file is an error at once. A git that does not know this fails to fetch it, because it has no URL.
    GIT_NO_LAZY_FETCH: '1',
    GIT_CONFIG_COUNT: String(config.length),
    ...readProxies(network),
    // Beside the certificates of the system.
    ...(network.NODE_EXTRA_CA_CERTS && { GIT_SSL_CAINFO: network.NODE_EXTRA_CA_CERTS }),
  };
  for (const [index, [key, value]] of config.entries()) {
    environment[`GIT_CONFIG_KEY_${index}`] = key;
    environment[`GIT_CONFIG_VALUE_${index}`] = value;
  }
  return environment;
}

/** https://docs.github.com/en/apps/creating-github-apps/authenticating-with-a-github-app/authenticating-as-a-github-app-installation */
export const basicAuthorization = (token: string): string =>
  `Basic ${Buffer.from(`x-access-token:${token}`).toString('base64')}`;

const authorization = ({ url, token }: Credential): [string, string] => [
  `http.${new URL(url).origin}/.extraHeader`,
  `Authorization: ${basicAuthorization(token)}`,
];

const fixedConfig = (allowHttp: boolean): [string, string][] => [
  ['core.hooksPath', '/dev/null'],
  ['core.fsmonitor', 'false'],
  ['core.symlinks', 'false'],
  ['core.protectHFS', 'true'],
  ['core.protectNTFS', 'true'],
  ['core.autocrlf', 'false'],
  ['core.quotePath', 'false'],
  ['safe.bareRepository', 'explicit'],
  ['protocol.allow', 'never'],
  ['protocol.https.allow', 'always'],
  ['protocol.http.allow', allowHttp ? 'always' : 'never'],
  ['http.followRedirects', 'false'],
  ['http.lowSpeedLimit', '1000'],
  ['http.lowSpeedTime', '60'],
  ['credential.helper', ''],
  ['transfer.fsckObjects', 'true'],
  ['transfer.bundleURI', 'false'],
  // Known repositories have these in old history; they are harmless.
  ['fetch.fsck.zeroPaddedFilemode', 'ignore'],
  ['fetch.fsck.badTimezone', 'ignore'],
  ['fetch.fsck.missingSpaceBeforeDate', 'ignore'],
  ['fetch.fsck.missingSpaceBeforeEmail', 'ignore'],
  ['fetch.fsck.missingNameBeforeEmail', 'ignore'],
  ['fetch.fsck.missingEmail', 'ignore'],
  ['fetch.fsck.badEmail', 'ignore'],
  ['submodule.recurse', 'false'],
  ['fetch.recurseSubmodules', 'false'],
  ['fetch.writeCommitGraph', 'false'],
  ['merge.directoryRenames', 'false'],
  // Many runs write refs of one mirror at once; the defaults are 0.1 s and 1 s.
  ['core.filesRefLockTimeout', '10000'],
  ['core.packedRefsTimeout', '10000'],
  ['gc.auto', '0'],
  ['maintenance.auto', 'false'],
];
