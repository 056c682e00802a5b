import { Parked } from '../../errors.ts';
import { realTiming } from '../../timing.ts';
import { type GitHubResponse, readFate } from '../client/failed-request.ts';
import type { Transport } from '../client/transport.ts';
import { AdmissionFailed, countsForInstallation, isInstallationWrite } from './admission.ts';
import { findExhaustion, findLimit, type Limit } from './rate-limit.ts';

const totalPatienceMs = 60_000;

interface Sent {
  method: string;
  url: string;
  query?: unknown;
}
interface Received {
  headers: Record<string, string | number | undefined>;
}

/** Has each request of a client admitted before it is sent, and reports the rate limits in its answer. A limit's refusal throws `Parked`. */
export function createLimitKeeper(options: {
  transport: Transport;
  installationId: number | undefined;
  /** Answers to the App itself carry no limits of the installation. */
  isToken: boolean;
  /** How long one write may wait for its slot. Default 30,000; with those before it, a minute at most. */
  writePatienceMs?: number | undefined;
  signal: AbortSignal;
}) {
  const {
    transport: { admit, onLimited, onRecovered },
    installationId,
    isToken,
    signal,
  } = options;
  const { writePatienceMs = realTiming.writes.patienceMs } = options;
  let patienceLeftMs = totalPatienceMs;

  async function admitRequest(request: Sent): Promise<boolean> {
    if (installationId === undefined || !admit) return false;
    const isWrite = isInstallationWrite(request);
    const patienceMs = Math.min(writePatienceMs, patienceLeftMs);
    const { waitedMs, wasLimited } = await admit({ installationId, isWrite, patienceMs, signal });
    patienceLeftMs -= waitedMs;
    return wasLimited;
  }

  async function reportLimit(limit: Limit): Promise<Date> {
    if (installationId === undefined) return limit.until;
    return (await onLimited?.(installationId, limit)) || limit.until;
  }

  async function reportLimits(answer: { headers: GitHubResponse['headers'] }, wasLimited: boolean): Promise<void> {
    if (installationId === undefined) return;
    const exhaustion = findExhaustion(answer, new Date());
    if (exhaustion) await reportLimit(exhaustion);
    else if (wasLimited) await onRecovered?.(installationId);
  }

  return {
    async around<Response extends Received>(request: Sent, send: () => Promise<Response>): Promise<Response> {
      const wasLimited = await asInternal(() => admitRequest(request));
      const isReporting = isToken && countsForInstallation(request);
      try {
        const response = await send();
        if (isReporting) await asInternal(() => reportLimits({ headers: toText(response.headers) }, wasLimited));
        return response;
      } catch (error) {
        const fate = readFate(error);
        if (fate.kind !== 'refused') throw error;
        const limit = findLimit(fate.answer, new Date());
        if (!limit && isReporting) await asInternal(() => reportLimits(fate.answer, wasLimited));
        if (!limit) throw error;
        throw new Parked(await asInternal(() => reportLimit(limit)), 'GitHub’s rate limit was reached', {
          cause: error,
        });
      }
    },
  };
}

const toText = (headers: Received['headers']): GitHubResponse['headers'] =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)]));

async function asInternal<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof Parked) throw error;
    throw new AdmissionFailed('could not read or store GitHub’s rate limits', { cause: error });
  }
}
