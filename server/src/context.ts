import type { Needs } from "./account/access.ts";
import type { Network } from "./check/network.ts";
import type { PageReader } from "./check/page-reader.ts";
import type { Clock } from "./clock.ts";
import type { Config } from "./config.ts";
import type { Store } from "./store/open.ts";

/** What every verb may use. Built once, by main.ts (and by the test harness). */
export interface Context {
  store: Store;
  clock: Clock;
  config: Config;
  log: Logger;
  network: Network;
  /** Fetches and parses pages beside everything else. */
  pages: PageReader;
  secrets: SecretBox;
  engine: EngineControl;
  live: LiveEvents;
}

/** The live stream (http/live): rows of the `events` table, fanned out to subscribers. */
export interface LiveEvents {
  /** Call after committing a transaction that appended events. PostgreSQL also wakes the other replicas. */
  wake(): void;
  /**
   * Hands on an organization's events after `afterId` (null: from now on), each once and in order.
   * Absent where no server runs (command line).
   */
  subscribe?(
    organizationId: number,
    afterId: number | null,
    listener: (event: LiveEvent) => void,
  ): Promise<LiveSubscription>;
}

export interface LiveEvent {
  id: number;
  type: string;
  payload: Record<string, unknown>;
  /** Milliseconds. */
  at: number;
}

export interface LiveSubscription {
  /** False when events after `afterId` have been forgotten: the listener must read everything anew. */
  complete: boolean;
  /** The id after which the listener hears everything. */
  startId: number;
  /** Settles when what was missed has been handed on; rejects when it cannot be read. */
  replayed: Promise<void>;
  end(): void;
}

/** pino's shape, the part that is used. */
export interface Logger {
  debug(fields: object, message?: string): void;
  info(fields: object, message?: string): void;
  warn(fields: object, message?: string): void;
  error(fields: object, message?: string): void;
}

/** AES-256-GCM under the installation's key (account/secret-box.ts). */
export interface SecretBox {
  seal(plain: string): string;
  open(sealed: string): string;
}

/** What verbs may ask of the running engine. The command line, which runs none, passes a silent one. */
export interface EngineControl {
  /** A monitor was created, changed, paused or deleted. Other replicas hear of it through the event log. */
  monitorChanged(monitorId: number): void;
  /** State for /api/health?ready=1 and /metrics. */
  health(): EngineHealth;
}

export interface EngineHealth {
  ticking: boolean;
  monitors: number;
  queuedResults: number;
  checksTotal: number;
  skippedTotal: number;
  /** Milliseconds, the 99th percentile of the last minute. */
  lateness99Ms: number;
}

/** Who is calling: a person (session) or one of their API keys, always within one organization. */
export interface Caller {
  kind: "session" | "key";
  userId: number;
  organizationId: number;
  apiKeyId: number | null;
  /** When the key ends, milliseconds; null: never, or no key. */
  keyExpiresAt: number | null;
  sessionId: number | null;
  /** Whether they may name another of the person's organizations; a key only if it was made for all. */
  allOrganizations: boolean;
  role: "owner" | "admin" | "member" | "viewer";
  /** `<action>:<resource>`; a session has `["*:*"]` cut down by its role. */
  scopes: readonly string[];
  plan: string;
  reports: boolean;
  requestId: string;
  address: string;
  /** What the route asks, so that another organization's role and plan are asked the same. */
  needs?: Needs;
  /** The organization whose audit log gets the row: one that a filter named, else the caller's. */
  trail?: { organizationId: number };
}

export type CallerContext = Context & { caller: Caller };
