import type { AgentReport } from "../../server/src/monitors/schemas/agent-report.ts";

/** What one report carries; most carry metrics alone. Sequence and time are added when it is sent. */
export type Report = Omit<AgentReport, "sequence" | "at">;

type Part<Name extends keyof Report> = NonNullable<Report[Name]>;
export type Metrics = Part<"metrics">;
export type Measures = Pick<Report, "metrics" | "unresponsiveMounts">;
export type SystemDetails = Part<"system">;
/** Items of a list that is cut where it is long; `total` counts all. */
export interface Snapshot<Item> {
  total: number;
  items: Item[];
}
export type Process = Part<"processes">["items"][number];
export type Connection = Part<"connections">["items"][number];
export type Application = Part<"applications">["items"][number];
export type Container = Part<"containers">["items"][number];

/** How to look at the machine. Rates are since the previous call of the same function. */
export interface Collector {
  system(): Promise<SystemDetails>;
  /** The metrics, and where something is mounted that did not answer when they were read. The system's disks are those of the latest. */
  measure(): Promise<Measures>;
  processes(): Promise<Snapshot<Process>>;
  connections(): Promise<Snapshot<Connection>>;
  applications(): Promise<Snapshot<Application>>;
  /** Null where there are none to be seen. */
  containers(): Promise<Snapshot<Container> | null>;
}

/** What differs by platform. */
export type PlatformCollector = Omit<Collector, "containers">;
