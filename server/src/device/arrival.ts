import type { TokenHolder } from "../store/queries/devices.ts";
import type { AgentReports } from "../wire/agent/report.ts";
import type { NewSnapshot } from "./snapshots.ts";

/** A request of an agent, as it came. Milliseconds. */
export interface Arrival {
  holder: TokenHolder;
  tokenHash: string;
  body: AgentReports;
  /** The newest lists that it brings. */
  snapshots: readonly NewSnapshot[];
  address: string;
  at: number;
}
