import {
  ConfigError,
  ehloName,
  headerValue,
  isEndpoint,
  isLoopbackHost,
  isNetwork,
  issuer,
  list,
  type MailAddress,
  mailAddress,
  NETWORK_NAMES,
  oneOf,
  type Parser,
  publicEhloName,
  type SmtpServer,
  secretKey,
  smtpServer,
  text,
  url,
  webAddress,
  whole,
} from "./config-values.ts";

/** architecture.md, Operating contract. */
export interface Config {
  host: string;
  port: number;
  /** The data folder: SQLite file, probe queue, generated key, instance lock. */
  dataFolder: string;
  /** PostgreSQL; null means SQLite in the data folder. */
  databaseUrl: string | null;
  /** The address people use, without a slash at the end; null: derived from host and port. */
  publicUrl: string | null;
  secretKey: Buffer | null;
  /** The mail server in use; null: no mail is sent. */
  smtp: SmtpServer | null;
  /** The sender of all mail; null: `vedette@` the host of the public address. */
  mailFrom: MailAddress | null;
  /** How this installation calls itself to mail servers (EHLO); null: by the address of its side of the connection. */
  ehloName: string | null;
  targets: "all" | "public";
  defaultPlan: "free" | "pro" | "expert";
  signup: "open" | "closed";
  rateLimits: boolean;
  workers: number;
  logLevel: (typeof LOG_LEVELS)[number];
  trustedProxies: string[];
  /** `loopback`: a program on this machine reads /metrics without a key, where only this machine reaches the server. */
  metrics: "key" | "loopback";
  /** The identity provider whose tokens let assistants in, as its tokens name it; null: API keys alone do. */
  mcpIssuer: string | null;
  /** What such a token must be for; any of these. */
  mcpAudience: string[];
  /** The language model of the app's assistant, as `assistant/model/registry.ts` reads it; null: there is none. */
  assistantUrl: string | null;
  assistantModel: string | null;
  /** Null: the endpoint needs none. */
  assistantKey: string | null;
  /** Name servers, `address` or `address:port`; empty: the system's. */
  resolvers: string[];
  /** Files in MaxMind's format (.mmdb) that say where IP addresses are, and whose; null: the installed one, and none. */
  geoDatabase: string | null;
  asnDatabase: string | null;
  /** Where IANA's lists of RDAP servers are read; null: at IANA. */
  rdapBootstrap: string | null;
  /** `address:port` a probe tries before it reports a failure; empty: the system's name servers; ["off"]: no egress guard. */
  referenceTargets: string[];
  /** Where integrations reach their providers. */
  azureLoginUrl: string;
  azureManagementUrl: string;
  vercelApiUrl: string;
  vercelOauthUrl: string;
  /** Of the application that is registered at Vercel; null: no account can be linked. */
  vercelClientId: string | null;
  vercelClientSecret: string | null;
}

const LOG_LEVELS = ["fatal", "error", "warn", "info", "debug", "trace", "silent"] as const;

type Environment = Record<string, string | undefined>;

interface Setting<T> {
  variable: string;
  parse: Parser<T>;
  otherwise: T;
}

const setting = <T>(variable: string, parse: Parser<T>, otherwise: NoInfer<T>): Setting<T> => ({
  variable,
  parse,
  otherwise,
});

/** Every variable, its form and what holds without it. docs/configuration.md lists the same ones. */
const SETTINGS: { [K in keyof Config]: Setting<Config[K]> } = {
  host: setting("VEDETTE_HOST", text, "127.0.0.1"),
  port: setting("VEDETTE_PORT", whole(0, 65_535), 8080),
  dataFolder: setting("VEDETTE_DATA", text, "./data"),
  databaseUrl: setting<string | null>("DATABASE_URL", url("postgres", "postgresql"), null),
  publicUrl: setting<string | null>("VEDETTE_PUBLIC_URL", webAddress, null),
  secretKey: setting<Buffer | null>("VEDETTE_SECRET_KEY", secretKey, null),
  smtp: setting<SmtpServer | null>("SMTP_URL", smtpServer, null),
  mailFrom: setting<MailAddress | null>("VEDETTE_MAIL_FROM", mailAddress, null),
  ehloName: setting<string | null>("VEDETTE_EHLO_NAME", ehloName, null),
  targets: setting("VEDETTE_TARGETS", oneOf("all", "public"), "all"),
  defaultPlan: setting("VEDETTE_DEFAULT_PLAN", oneOf("free", "pro", "expert"), "expert"),
  signup: setting("VEDETTE_SIGNUP", oneOf("open", "closed"), "closed"),
  rateLimits: setting("VEDETTE_RATE_LIMITS", (value, name) => oneOf("on", "off")(value, name) === "on", true),
  workers: setting("VEDETTE_WORKERS", whole(1, 64), 1),
  logLevel: setting("VEDETTE_LOG_LEVEL", oneOf(...LOG_LEVELS), "info"),
  trustedProxies: setting(
    "VEDETTE_TRUSTED_PROXIES",
    list(isNetwork, `addresses, networks such as 10.0.0.0/8, or ${NETWORK_NAMES.join(", ")}`),
    [],
  ),
  metrics: setting("VEDETTE_METRICS", oneOf("key", "loopback"), "key"),
  mcpIssuer: setting<string | null>("VEDETTE_MCP_ISSUER", issuer, null),
  mcpAudience: setting(
    "VEDETTE_MCP_AUDIENCE",
    list((item) => item !== "", "what a token is for"),
    [],
  ),
  assistantUrl: setting<string | null>("VEDETTE_ASSISTANT_URL", webAddress, null),
  assistantModel: setting<string | null>("VEDETTE_ASSISTANT_MODEL", text, null),
  assistantKey: setting<string | null>("VEDETTE_ASSISTANT_KEY", headerValue, null),
  resolvers: setting(
    "VEDETTE_RESOLVERS",
    list((item) => isEndpoint(item, false), "addresses such as 192.0.2.1 or 192.0.2.1:53"),
    [],
  ),
  geoDatabase: setting<string | null>("VEDETTE_GEO_DATABASE", text, null),
  asnDatabase: setting<string | null>("VEDETTE_ASN_DATABASE", text, null),
  rdapBootstrap: setting<string | null>("VEDETTE_RDAP_BOOTSTRAP", webAddress, null),
  referenceTargets: setting(
    "VEDETTE_REFERENCE_TARGETS",
    (value, name) =>
      value === "off"
        ? ["off"]
        : list((item) => isEndpoint(item, true), "off, or addresses with a port such as 192.0.2.1:443")(
            value,
            name,
          ),
    [],
  ),
  azureLoginUrl: setting("VEDETTE_AZURE_LOGIN_URL", webAddress, "https://login.microsoftonline.com"),
  azureManagementUrl: setting("VEDETTE_AZURE_MANAGEMENT_URL", webAddress, "https://management.azure.com"),
  vercelApiUrl: setting("VEDETTE_VERCEL_API_URL", webAddress, "https://api.vercel.com"),
  vercelOauthUrl: setting("VEDETTE_VERCEL_OAUTH_URL", webAddress, "https://vercel.com"),
  vercelClientId: setting<string | null>("VEDETTE_VERCEL_CLIENT_ID", text, null),
  vercelClientSecret: setting<string | null>("VEDETTE_VERCEL_CLIENT_SECRET", text, null),
};

/** `flags` take precedence; empty variables count as unset. Throws ConfigError for bad or unknown variables. */
export function readConfig(
  environment: Environment,
  flags: Partial<Record<keyof Config, string>> = {},
): Config {
  rejectUnknown(environment);
  const entries = Object.entries(SETTINGS).map(([key, { variable, parse, otherwise }]) => {
    const flag = flags[key as keyof Config];
    const value = flag ?? environment[variable];
    if (value === undefined || value === "") return [key, otherwise];
    return [key, (parse as Parser<unknown>)(value, flag === undefined ? variable : `--${flagName(key)}`)];
  });
  const config = withEhloName(Object.fromEntries(entries) as Config);
  if (config.metrics === "loopback" && !isForThisMachineOnly(config)) throw new ConfigError(NOT_ALONE);
  if ((config.mcpIssuer === null) !== (config.mcpAudience.length === 0)) throw new ConfigError(NO_AUDIENCE);
  const { assistantUrl, assistantModel, assistantKey } = config;
  if ((assistantUrl === null) !== (assistantModel === null)) throw new ConfigError(NO_MODEL);
  if (assistantUrl === null && assistantKey !== null) throw new ConfigError(NO_MODEL);
  const targetsGiven = flags.targets ?? environment[SETTINGS.targets.variable];
  // Where anyone may sign up, users must not be able to explore this server's own network.
  return config.signup === "open" && !targetsGiven ? { ...config, targets: "public" } : config;
}

/** With the EHLO name: the one that is set, or the public address's. */
function withEhloName(config: Config): Config {
  const name = config.ehloName ?? publicEhloName(config.publicUrl);
  const smtp = config.smtp && { ...config.smtp, ehloName: name ?? undefined };
  return { ...config, ehloName: name, smtp };
}

/** It listens on loopback, without public address or proxy: only then is a local request a trusted one. */
export const isForThisMachineOnly = ({ host, publicUrl, trustedProxies }: Config): boolean =>
  isLoopbackHost(host) && publicUrl === null && trustedProxies.length === 0;

const NOT_ALONE =
  'VEDETTE_METRICS is "loopback", which would show every organization\'s monitors to all clients of a proxy: it cannot be combined with VEDETTE_PUBLIC_URL, VEDETTE_TRUSTED_PROXIES or a VEDETTE_HOST other than loopback. Give the scraper an API key with read:metrics instead.';

/** A token that is for another service must not open this one. */
const NO_AUDIENCE =
  "VEDETTE_MCP_ISSUER and VEDETTE_MCP_AUDIENCE belong together: whose tokens let assistants in, and what they must be for.";

const NO_MODEL =
  "VEDETTE_ASSISTANT_URL and VEDETTE_ASSISTANT_MODEL belong together: the assistant's endpoint, and which model answers. VEDETTE_ASSISTANT_KEY is for them.";

const flagName = (key: string) => (key === "dataFolder" ? "data" : key);

/** Of commands that call a server. */
const OF_COMMANDS = ["VEDETTE_TOKEN"];

function rejectUnknown(environment: Environment): void {
  const known = new Set([...Object.values(SETTINGS).map(({ variable }) => variable), ...OF_COMMANDS]);
  const unknown = Object.keys(environment).filter((name) => name.startsWith("VEDETTE_") && !known.has(name));
  if (unknown.length === 0) return;
  throw new ConfigError(
    `Unknown variable ${unknown.join(", ")}. Known are: ${[...known].filter((n) => n.startsWith("VEDETTE_")).join(", ")}.`,
  );
}
