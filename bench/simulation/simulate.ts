/** The needs of one run, in milliseconds: processor time on the machine of its worker and on that of PostgreSQL, and waiting that needs no processor. */
export interface Demand {
  worker: number;
  postgres: number;
  waiting: number;
}

export interface Machines {
  workers: number;
  /** Runs at once, of each worker. */
  slots: number;
  /** Of each worker’s machine. */
  workerCores: number;
  postgresCores: number;
  /** Whether all processes share one machine, of `postgresCores` cores. */
  isOneMachine: boolean;
}

export interface Outcome {
  runsPerSecond: number;
  /** From the claim to the end of a run, on average. */
  runMs: number;
  postgresBusy: number;
  workersBusy: number;
}

/** A run alternates between its worker’s processor, PostgreSQL’s and waiting, so often: its queries and commands come in small pieces. */
const rounds = 20;
const simulatedRuns = 2_000;

/**
 * A closed queueing network, event by event: all slots are always full, as in a backlog. Each kind of processor is a queue with several
 * servers, first come, first served; pieces last an exponential time around their mean. `random` is uniform in [0, 1).
 */
export function simulate(demand: Demand, machines: Machines, random: () => number): Outcome {
  const { workers, slots, workerCores, postgresCores, isOneMachine } = machines;
  const postgres = createProcessor(postgresCores);
  const processors = Array.from({ length: workers }, () => (isOneMachine ? postgres : createProcessor(workerCores)));
  const draw = (meanMs: number) => -Math.log(1 - random()) * meanMs;
  const events = createEvents();
  let ended = 0;
  let runMs = 0;

  function run(worker: number, startedAt: number, round: number): void {
    if (round === rounds) {
      ended += 1;
      runMs += events.now() - startedAt;
      run(worker, events.now(), 0);
      return;
    }
    const own = processors[worker % workers] ?? postgres;
    own.serve(events, draw(demand.worker / rounds), () =>
      postgres.serve(events, draw(demand.postgres / rounds), () =>
        events.after(draw(demand.waiting / rounds), () => run(worker, startedAt, round + 1)),
      ),
    );
  }

  for (let slot = 0; slot < workers * slots; slot += 1) run(slot, 0, 0);
  while (ended < simulatedRuns) events.next();
  const ms = events.now();
  const own = [...new Set(processors)].reduce((sum, { busyMs }) => sum + busyMs(), 0);
  return {
    runsPerSecond: (1_000 * ended) / ms,
    runMs: runMs / ended,
    postgresBusy: postgres.busyMs() / ms / postgresCores,
    workersBusy: isOneMachine ? postgres.busyMs() / ms / postgresCores : own / ms / workerCores / workers,
  };
}

interface Events {
  now(): number;
  after(ms: number, then: () => void): void;
  next(): void;
}

/** A binary heap by time. */
function createEvents(): Events {
  const heap: { at: number; then: () => void }[] = [];
  let now = 0;
  const at = (index: number) => heap[index]?.at ?? Number.POSITIVE_INFINITY;
  const swap = (a: number, b: number) => {
    const [first, second] = [heap[a], heap[b]];
    if (first && second) [heap[a], heap[b]] = [second, first];
  };
  return {
    now: () => now,
    after(ms, then) {
      heap.push({ at: now + ms, then });
      for (let child = heap.length - 1; child > 0; ) {
        const parent = (child - 1) >> 1;
        if (at(parent) <= at(child)) break;
        swap(parent, child);
        child = parent;
      }
    },
    next() {
      swap(0, heap.length - 1);
      const event = heap.pop();
      for (let parent = 0; ; ) {
        const left = 2 * parent + 1;
        const child = at(left + 1) < at(left) ? left + 1 : left;
        if (at(child) >= at(parent)) break;
        swap(parent, child);
        parent = child;
      }
      if (!event) throw new Error('nothing happens any more');
      now = event.at;
      event.then();
    },
  };
}

function createProcessor(cores: number) {
  const waiting: (() => void)[] = [];
  let free = cores;
  let busy = 0;
  return {
    busyMs: () => busy,
    serve(events: Events, ms: number, then: () => void): void {
      const begin = () => {
        free -= 1;
        events.after(ms, () => {
          busy += ms;
          free += 1;
          waiting.shift()?.();
          then();
        });
      };
      if (free > 0) begin();
      else waiting.push(begin);
    },
  };
}
