import { type RawBuilder, sql } from 'kysely';

/** When the transaction began, by the database's clock. */
export const now = sql<Date>`now()`;

export const inMs = (milliseconds: number) => sql<Date>`now() + ${milliseconds} * interval '1 millisecond'`;

export const agoMs = (milliseconds: number) => sql<Date>`now() - ${milliseconds} * interval '1 millisecond'`;

export const msBetween = (from: RawBuilder<unknown>, to: RawBuilder<unknown>) =>
  sql<number>`(extract(epoch from ${to} - ${from}) * 1000)::float8`;
