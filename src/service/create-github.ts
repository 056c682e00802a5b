import type { Config } from '../config/config.ts';
import { createGitHubApp } from '../github/auth/app.ts';
import { createUserAuthorization, type UserAuthorization } from '../github/auth/user-authorization.ts';
import type { Log } from '../log.ts';
import type { Metrics } from '../metrics/create-metrics.ts';
import { createGitHubLimits } from '../projects/github-limits.ts';
import type { Database } from '../store/postgres/database.ts';
import type { Redactor } from '../text/redact.ts';
import type { Timing } from '../timing.ts';

/** null: the App's client id and secret are not set, so nobody can sign in. */
export function createAuthorization(options: {
  config: Config;
  redactor: Redactor;
  log: Log;
  timing: Timing;
}): UserAuthorization | null {
  const { config, redactor, log, timing } = options;
  const { signIn, apiUrl, webUrl } = config.github;
  if (signIn === null) return null;
  const { retryDelaysMs } = timing.github;
  return createUserAuthorization({
    ...signIn,
    apiUrl,
    webUrl,
    retryDelaysMs,
    secrets: redactor,
    onUnrevoked: (error) => log.warn({ err: error }, 'the token of a sign-in could not be revoked'),
  });
}

/** All processes share the limits of this App. */
export function createLimitedGitHubApp(options: {
  config: Config;
  database: Database;
  metrics: Metrics;
  timing: Timing;
}) {
  const { config, database, metrics, timing } = options;
  const { appId, privateKey, apiUrl, webUrl } = config.github;
  const limits = createGitHubLimits({ database, timing });
  const { retryDelaysMs, settleDelaysMs } = timing.github;
  return createGitHubApp({
    appId,
    privateKey,
    apiUrl,
    webUrl,
    retryDelaysMs,
    settleDelaysMs,
    ...limits,
    onLimited(installationId, limit) {
      metrics.onGitHubLimit(limit.kind);
      return limits.onLimited(installationId, limit);
    },
    onAnswered: metrics.onGitHubAnswered,
  });
}
