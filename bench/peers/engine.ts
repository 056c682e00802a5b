import { createRequire } from 'node:module';
import { join } from 'node:path';
import pg from 'pg';
import type { Connection } from '../../src/store/postgres/database.ts';

/** A way to run work from PostgreSQL. Each task takes `runMs`, on four slots. */
export interface Engine {
  /** Runs tasks until the process ends. */
  work(told: { started(): void; ended(): void; runMs: number }): Promise<void>;
  /** Opens what adds a task; the task is stored when it resolves. */
  openAdder(): Promise<() => Promise<void>>;
}

export interface EngineParts {
  connection: Extract<Connection, { host: string }>;
  /** A folder with `node_modules`, for libraries that are no dependency of ours. */
  packages: string;
}

export const slots = 4;

/** `Module` describes what is used of it. */
export function loadPackage<Module>({ packages }: EngineParts, name: string): Module {
  return createRequire(join(packages, 'package.json'))(name);
}

export const createPool = ({ connection }: EngineParts) => new pg.Pool({ ...connection, max: 10 });
