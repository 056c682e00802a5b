import { Parked } from '../../errors.ts';
import { realTiming } from '../../timing.ts';
import { type Answer, readFate } from '../client/failed-request.ts';
import type { Transport } from '../client/transport.ts';
import { AdmissionFailed, countsForInstallation, isInstallationWrite } from './admission.ts';
import { findExhaustion, findLimit, type Limit } from './rate-limit.ts';

/** What the hooks of Octokit are given of a request, and its answer. */
interface Sent {
  method: string;
  url: string;
  query?: unknown;
}
interface Received {
  headers: Record<string, string | number | undefined>;
}

/**
 * Keeps one client to GitHub's limits: each of its requests is admitted before it is sent, and what its answer says of the limits is told.
 * A refusal by a limit is thrown as `Parked`.
 */
export function createLimitKeeper({
  transport: { admit, onLimited, onRecovered },
  installationId,
  isToken,
  writePatienceMs = realTiming.writes.patienceMs,
  signal,
}: {
  transport: Transport;
  installationId: number | undefined;
  /** Whether the client has the installation's own token: answers to the App say nothing of the installation's limits. */
  isToken: boolean;
  /** How long one write may wait for its slot. Default 30,000; with those before it, a minute at most. */
  writePatienceMs?: number | undefined;
  signal: AbortSignal;
}) {
  let patienceLeftMs = realTiming.writes.totalPatienceMs;

  /** Returns whether the installation was limited before. */
  async function ask(request: Sent): Promise<boolean> {
    if (installationId === undefined || !admit) return false;
    const isWrite = isInstallationWrite(request);
    const patienceMs = Math.min(writePatienceMs, patienceLeftMs);
    const { waitedMs, wasLimited } = await admit({ installationId, isWrite, patienceMs, signal });
    patienceLeftMs -= waitedMs;
    return wasLimited;
  }

  /** Returns when GitHub is to be asked again. */
  async function tellLimited(limit: Limit): Promise<Date> {
    if (installationId === undefined) return limit.until;
    return (await onLimited?.(installationId, limit)) || limit.until;
  }

  async function readLimits(answer: Pick<Answer, 'headers'>, wasLimited: boolean): Promise<void> {
    if (installationId === undefined) return;
    const exhaustion = findExhaustion(answer, new Date());
    if (exhaustion) await tellLimited(exhaustion);
    else if (wasLimited) await onRecovered?.(installationId);
  }

  return {
    async around<Response extends Received>(request: Sent, send: () => Promise<Response>): Promise<Response> {
      const wasLimited = await asOurs(() => ask(request));
      const isTelling = isToken && countsForInstallation(request);
      try {
        const response = await send();
        if (isTelling) await asOurs(() => readLimits({ headers: toText(response.headers) }, wasLimited));
        return response;
      } catch (error) {
        const fate = readFate(error);
        if (fate.kind !== 'refused') throw error;
        const limit = findLimit(fate.answer, new Date());
        if (!limit && isTelling) await asOurs(() => readLimits(fate.answer, wasLimited));
        if (!limit) throw error;
        throw new Parked(await asOurs(() => tellLimited(limit)), 'GitHub’s rate limit was reached', { cause: error });
      }
    },
  };
}

const toText = (headers: Received['headers']): Answer['headers'] =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)]));

/** What fails here must not be taken for an answer of GitHub's, nor for a request that was lost. */
async function asOurs<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof Parked) throw error;
    throw new AdmissionFailed('could not ask or tell of GitHub’s limits', { cause: error });
  }
}
