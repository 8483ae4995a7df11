import type { Model, ModelTool } from "../assistant/model/model.ts";
import type { Network } from "../checks/network.ts";
import type { PageReader } from "../checks/site/page-reader.ts";
import type { ToolRunner } from "../checks/toolbox/tool-runner.ts";
import type { ProbeResult } from "../engine/probe/link.ts";
import type { PrepareResults } from "../engine/results/store-results.ts";
import type { EvidenceMemory } from "../incidents/evidence-memory.ts";
import type { FileReader } from "../monitors/import/file-reader.ts";
import type { ActiveWindows } from "../monitors/maintenance/active-windows.ts";
import type { Caller } from "./access/caller.ts";
import type { Clock } from "./clock.ts";
import type { Config } from "./config.ts";
import type { Store } from "./database/store.ts";

/** What every verb may use. Built once, by main.ts (and by the test harness). */
export interface Context {
  store: Store;
  clock: Clock;
  config: Config;
  log: Logger;
  network: Network;
  /** Fetches and parses pages in a thread of its own. */
  pages: PageReader;
  /** Runs the tools of the toolbox in a thread of their own. */
  tools: ToolRunner;
  /** Reads files that are imported in a thread of its own. */
  files: FileReader;
  secrets: SecretBox;
  engine: EngineControl;
  /** The maintenance windows as the engine knows them. Absent where none runs. */
  windows?: ActiveWindows;
  /** What failed checks saw, until it is known whether an outage begins. Absent where no engine runs. */
  evidence?: EvidenceMemory;
  live: LiveEvents;
  /** The app's assistant. Absent where no server runs (command line). */
  assistant?: Assistant;
}

/** The live stream (http/live): rows of the `events` table, fanned out to subscribers. */
export interface LiveEvents {
  /** Call after committing a transaction that appended events. PostgreSQL also wakes the other replicas. */
  wake(): void;
  /**
   * Writes to `reader` what happens in its organization, in order and each event once: after the event
   * `lastEventId`, or from now on. Absent where no server runs (command line).
   */
  subscribe?(reader: LiveReader, lastEventId: string | null): LiveSubscription;
  /** Calls back with the payload of every event of this type, of any organization and any replica. */
  onEvent?(type: string, listener: (payload: Record<string, unknown>) => void): void;
}

/** The receiver: one open stream. */
export interface LiveReader {
  organizationId: number;
  family: "legacy" | "v2";
  /** The types of event that it may see; the others only move its position. */
  types: ReadonlySet<string>;
  /** Takes each event as it is, in the place of the stream's texts; null: some were missed. */
  receive?(event: { type: string; payload: string } | null): void;
  /** Sends texts of the stream, the shared ones without a copy. Not called while `isFull()`: call the subscription's `drained()` after that. */
  write(...texts: (string | Buffer)[]): void;
  isFull(): boolean;
  /** What it missed cannot be read now; the client has to reconnect. */
  fail(): void;
}

export interface LiveSubscription {
  /** The reader can take more again. */
  drained(): void;
  /** Sends the reader, if it has everything so far, its position: so that it can resume from a quiet stream. */
  heartbeat(): void;
  end(): void;
}

/** pino's shape, the part that is used. */
export interface Logger {
  debug(fields: object, message?: string): void;
  info(fields: object, message?: string): void;
  warn(fields: object, message?: string): void;
  error(fields: object, message?: string): void;
}

/** AES-256-GCM under the installation's key (platform/secrets/secret-box.ts). */
export interface SecretBox {
  seal(plain: string): string;
  open(sealed: string): string;
  /** A key of 32 bytes of its own for another purpose (HKDF, RFC 5869). */
  derive(purpose: string): Buffer;
}

/** What verbs may call of the running engine. The command line, which runs none, passes a silent one. */
export interface EngineControl {
  /** Takes results that no probe has measured, and applies them; resolves when they are stored. Throws the store's error. */
  accept(results: readonly ProbeResult[], prepareResults?: PrepareResults): Promise<void>;
  /**
   * Has a monitor checked at once by whichever probes have it, on any replica, and resolves to the first result as it is stored.
   * Null: it is no longer checked, none came within `waitMs`, or `signal` is aborted. Throws the store's error.
   */
  checkNow(monitorId: number, wait: { waitMs: number; signal?: AbortSignal }): Promise<ProbeResult | null>;
  /** A monitor was created, changed, paused or deleted. Other replicas learn of it through the event log. */
  monitorChanged(monitorId: number): void;
  /** State for /api/health?ready=1 and /metrics. */
  health(): EngineHealth;
}

export interface EngineHealth extends ProbeHealth {
  /** False while the clock is more than a day away from where it can be (engine/results/clock-watch.ts). */
  isClockTrusted: boolean;
}

/** The probes' part of it. */
export interface ProbeHealth {
  ticking: boolean;
  monitors: number;
  queuedResults: number;
  checksTotal: number;
  skippedTotal: number;
  /** Milliseconds, the 99th percentile of the last minute. */
  lateness99Ms: number;
}

export type CallerContext = Context & { caller: Caller };

/** The calls under way in this process, by what their clients call them. */
export interface CallsUnderWay {
  /** The call's own signal, aborted with `gone` or when it is cancelled; `end` once it is over. */
  begin(key: string, gone: AbortSignal): { signal: AbortSignal; end(): void };
  /** Stops a call, on whichever replica it is. */
  cancel(key: string): Promise<void>;
  count(userId: number): number;
  /** Stops them all: the server ends. */
  endAll(): void;
}

/** The outcome of a tool's call, as a model gets it. */
export interface ToolOutcome {
  text: string;
  isError: boolean;
}

/** What a call would be done to: fields of it, for people. */
export type Subject = readonly { name: string; value: string }[];

/** A tool of the product as the assistant has it, with the rights of the person who uses it. */
export interface AssistantTool extends ModelTool {
  title: string;
  /** The resource it is about. */
  about: string;
  /** Whether a model knows it from the beginning. */
  isCore: boolean;
  /** It only reads what is here: it is done at once. Any other waits until its person agrees. */
  atOnce: boolean;
  /** What its verb refuses is an outcome, too. */
  run(ctx: CallerContext, given: Record<string, unknown>): Promise<ToolOutcome>;
  /** What it would be done to, or why it cannot be done, with nothing done. */
  preview(
    ctx: CallerContext,
    given: Record<string, unknown>,
  ): Promise<{ subject: Subject } | { refusal: string }>;
}

/** What the app's assistant works with. One a server. */
export interface Assistant {
  /** Null: none is configured. */
  model: Model | null;
  /** Those that the caller may use somewhere. */
  listTools(ctx: CallerContext): Promise<AssistantTool[]>;
  /** The answers that are being written. */
  answers: CallsUnderWay;
}
