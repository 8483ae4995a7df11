/** Everything the environment and the command line may set (architecture.md, Operating contract). */
export interface Config {
  host: string;
  port: number;
  /** The data folder: SQLite file, probe queue, generated key, instance lock. */
  dataFolder: string;
  /** PostgreSQL; null means SQLite in the data folder. */
  databaseUrl: string | null;
  /** The address people use, without a slash at the end; null: derived from host and port. */
  publicUrl: string | null;
  secretKey: string | null;
  targets: "all" | "public";
  defaultPlan: "free" | "pro" | "expert";
  signup: "open" | "closed";
  rateLimits: boolean;
  workers: number;
  logLevel: "fatal" | "error" | "warn" | "info" | "debug" | "trace" | "silent";
  trustedProxies: string[];
  smtpUrl: string | null;
  mcpIssuer: string | null;
  mcpAudience: string | null;
  /** Name servers, `address` or `address:port`; empty: the system's. */
  resolvers: string[];
  /** `address:port` a probe tries before it believes a failure; empty: the system's name servers; ["off"]: no egress guard. */
  referenceTargets: string[];
}
