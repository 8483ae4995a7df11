import type { TokenHolder } from "../store/queries/devices.ts";
import type { AgentReports } from "../wire/agent/report.ts";
import type { NewSnapshot } from "./snapshots.ts";

/** A request of an agent that is to be stored. Times in milliseconds. */
export interface ReportRequest {
  holder: TokenHolder;
  tokenHash: string;
  body: AgentReports;
  /** The newest list of each kind in it. */
  snapshots: readonly NewSnapshot[];
  address: string;
  at: number;
}
