import type { Connection } from './connection.ts';

/** What each group of a repository client's calls is made of; the client's face says what they promise. */
export interface CallSite {
  connection: Connection;
  /** The pauses that are left before a write that came too soon is sent again, in milliseconds. */
  settleDelaysMs: number[];
  owner: string;
  repo: string;
  repositoryId: number;
  /** Who we are: what others wrote is not ours, whatever it contains. */
  appId: number;
  fetchBotLogin: (signal: AbortSignal) => Promise<string>;
}
