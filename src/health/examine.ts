import { describeCause, type Finding, findRemedy, type HealthCheck } from './finding.ts';

export type Examined = Finding & { part: string };

/**
 * Runs all checks at once, but for one that comes `after` another before it in the list. Never throws: a check without an answer is a
 * warning. `fix` applies the fixes that there are, and checks again.
 */
export async function examine(
  checks: readonly HealthCheck[],
  { signal, withinMs, fix = false }: { signal: AbortSignal; withinMs: number; fix?: boolean },
): Promise<Examined[]> {
  const ask = ({ find }: HealthCheck) => find(AbortSignal.any([signal, AbortSignal.timeout(withinMs)]));
  const examined = new Map<string, Promise<Examined>>();
  for (const check of checks) examined.set(check.part, examineOne(check, examined.get(check.after ?? '')));
  return Promise.all(examined.values());

  async function examineOne(check: HealthCheck, before: Promise<Examined> | undefined): Promise<Examined> {
    const { part } = check;
    if ((await before)?.state === 'broken')
      return { part, state: 'warning', detail: 'not checked yet', todo: `Correct ${check.after} first.` };
    try {
      const found = await ask(check);
      if (!fix || found.state === 'ok' || found.fix === undefined) return { part, ...found };
      const done = await found.fix();
      const again = await ask(check);
      return { part, ...again, detail: `${done}; ${again.detail}` };
    } catch (error) {
      const remedy = findRemedy(error);
      return {
        part,
        state: 'warning',
        detail: `this could not be checked: ${remedy === undefined ? describe(error) : describeCause(error)}`,
        todo: remedy ?? 'Check DNS, firewall and HTTPS_PROXY of this machine, and try again.',
      };
    }
  }
}

function describe(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown';
  const { cause, message } = error;
  return cause instanceof Error && cause.message !== message ? `${message} (${cause.message})` : message;
}
