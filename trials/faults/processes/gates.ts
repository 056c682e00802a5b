import type { TakeStep } from '../../../src/steps.ts';
import type { Closed, Order, Point, Report } from './point.ts';

/** `dieAt`: the process kills itself there, right before or after the step: `before take up`. Passes every step, waits at the points that are held, and reports each point. Claims that are under way pass; the last one is awaited. */
export function createGates({
  claims,
  dieAt,
  tell,
}: {
  claims: 'open' | 'closed';
  dieAt?: Point | undefined;
  tell: (report: Report | Closed) => void;
}) {
  let gate = createGate(claims === 'open');
  let heldGate = createGate(false);
  let plan = new Set<string>();
  let counts = new Map<string, number>();
  let claiming = 0;

  const takeStep: TakeStep = async ({ step, jobId }, take) => {
    if (step === 'claim') return takeClaim(take);
    if (jobId === undefined || dieAt?.endsWith(` ${step}`)) return takeOrDie(step, take);
    const name = `${jobId} ${step}`;
    const count = (counts.get(name) ?? 0) + 1;
    counts.set(name, count);
    await arrive(jobId, `before ${step} ${count}`);
    const result = await take();
    await arrive(jobId, `after ${step} ${count}`);
    return result;
  };

  async function takeOrDie<T>(step: string, take: () => Promise<T>): Promise<T> {
    if (dieAt === `before ${step}`) process.kill(process.pid, 'SIGKILL');
    const result = await take();
    if (dieAt === `after ${step}`) process.kill(process.pid, 'SIGKILL');
    return result;
  }

  async function takeClaim<T>(take: () => Promise<T>): Promise<T> {
    while (!gate.isOpen()) await gate.passed;
    claiming += 1;
    try {
      return await take();
    } finally {
      claiming -= 1;
      tellIfClosed();
    }
  }

  function tellIfClosed(): void {
    if (!gate.isOpen() && claiming === 0) tell({ claims: 'closed' });
  }

  async function arrive(jobId: string, point: string): Promise<void> {
    const isHeld = plan.has(`${jobId} ${point}`);
    tell({ jobId, point, isHeld });
    if (isHeld) await heldGate.passed;
  }

  function obey(order: Order): void {
    if ('hold' in order) {
      plan = new Set(order.hold.map(({ jobId, point }) => `${jobId} ${point}`));
      counts = new Map();
      heldGate.open();
      heldGate = createGate(false);
    } else if ('claims' in order) {
      if (order.claims === 'open') gate.open();
      // A run may already wait at a point that is closed.
      else if (gate.isOpen()) gate = createGate(false);
      tellIfClosed();
    } else heldGate.open();
  }

  return { takeStep, obey };
}

function createGate(isOpen: boolean) {
  const { promise: passed, resolve } = Promise.withResolvers<void>();
  let isPassable = false;
  const open = () => {
    isPassable = true;
    resolve();
  };
  if (isOpen) open();
  return { passed, open, isOpen: () => isPassable };
}
