import { JSON_PATH_PATTERN } from "../check/json-path.ts";
import type { CheckedKind } from "../monitor/monitor-defaults.ts";
import { type Fact, fact } from "../texts/fact.ts";
import { type Addressed, clean, monitorAt } from "./address.ts";
import { comparedValue, jsonOperator } from "./json-comparison.ts";
import { isSaid, lookUp, numberOf, own, type Plain, textOf } from "./plain.ts";
import { type Converted, webPage } from "./uptime-kuma-http.ts";

const service = (protocol: string, config: object, notes: Fact[] = []): Converted => ({
  kind: "service",
  body: { protocol, protocolConfig: clean(config) },
  notes,
});

const hostOf = (monitor: Plain): string | undefined => textOf(own(monitor, "hostname"));
const portOf = (monitor: Plain): number | undefined => numberOf(own(monitor, "port"));
const at =
  (protocol: string) =>
  (monitor: Plain): Converted =>
    service(protocol, { host: hostOf(monitor), port: portOf(monitor) });

/** Kinds that keep everything in one address. `query`: what is asked there. */
const connected =
  (more: (monitor: Plain) => object = () => ({})) =>
  (monitor: Plain): Converted => {
    const found = monitorAt(textOf(own(monitor, "databaseConnectionString")) ?? "");
    if ("problem" in found) return { problem: found.problem, kind: "service" };
    const { protocol, protocolConfig } = found.body as { protocol?: string; protocolConfig?: object };
    if (!protocol)
      return { problem: fact("import.address", { scheme: "databaseConnectionString" }), kind: "service" };
    return service(protocol, { ...protocolConfig, ...clean(more(monitor)) });
  };

function redis(monitor: Plain): Converted {
  const found = connected()(monitor);
  if ("problem" in found || !isSaid(own(monitor, "ignoreTls"))) return found;
  const config = found.body["protocolConfig"] as { tls?: boolean; ignoreCertificate?: boolean };
  if (config.tls) config.ignoreCertificate = true;
  return found;
}

const asked = (monitor: Plain) => ({ query: textOf(own(monitor, "databaseQuery")) });

const JSON_PATH = new RegExp(JSON_PATH_PATTERN);
/** Of JSONata, which Kuma has, what is a plain path. */
const pathOf = (text: string): string => (text.startsWith("$") ? text : `$.${text}`);

function jsonQuery(monitor: Plain): Converted {
  const query = textOf(own(monitor, "jsonPath")) ?? "";
  const path = pathOf(query);
  const said = textOf(own(monitor, "jsonPathOperator")) ?? "==";
  const operator = said === "contains" ? said : jsonOperator(said);
  if (!operator || !JSON_PATH.test(path))
    return { problem: fact("import.json_path", { path: query }), kind: "domain" };
  const value = comparedValue(textOf(own(monitor, "expectedValue")) ?? "");
  return webPage(monitor, [{ type: "json", path, operator, value }]);
}

function keyword(monitor: Plain): Converted {
  const value = textOf(own(monitor, "keyword"));
  const operator = isSaid(own(monitor, "invertKeyword")) ? "absent" : "present";
  return webPage(monitor, value === undefined ? [] : [{ type: "keyword", operator, value }]);
}

function dns(monitor: Plain): Converted {
  const servers = (textOf(own(monitor, "dns_resolve_server")) ?? "").split(",").map((one) => one.trim());
  const [server] = servers;
  const notes = servers.slice(1).map((setting) => fact("import.setting", { setting }));
  const recordType = textOf(own(monitor, "dns_resolve_type"));
  return service(
    "dns",
    { hostname: hostOf(monitor), recordType, server: server || undefined, port: portOf(monitor) },
    notes,
  );
}

function mqtt(monitor: Plain): Converted {
  const typed = hostOf(monitor) ?? "";
  const found: Addressed | { problem: Fact } = monitorAt(typed.includes("://") ? typed : `mqtt://${typed}`);
  if ("problem" in found) return { problem: found.problem, kind: "service" };
  const { protocol, protocolConfig } = found.body as { protocol: string; protocolConfig: object };
  return service(
    protocol,
    clean({
      ...protocolConfig,
      ...clean({ port: portOf(monitor) }),
      user: textOf(own(monitor, "mqttUsername")),
      password: textOf(own(monitor, "mqttPassword")),
      topic: textOf(own(monitor, "mqttTopic")),
      expect: textOf(own(monitor, "mqttSuccessMessage")),
    }),
  );
}

/** It calls a method of any service; Vedette asks for its health by the standard one. */
function grpc(monitor: Plain): Converted {
  const method = textOf(own(monitor, "grpcServiceName")) ?? "";
  if (!/(?:^|\.)Health$/i.test(method)) return { problem: fact("import.grpc", { method }), kind: "service" };
  const tls = isSaid(own(monitor, "grpcEnableTls"));
  const found = monitorAt(`${tls ? "grpcs" : "grpc"}://${textOf(own(monitor, "grpcUrl")) ?? ""}`);
  if ("problem" in found) return { problem: found.problem, kind: "service" };
  return { kind: "service", body: found.body, notes: [] };
}

const SMTP_SECURITY = { secure: "tls", starttls: "starttls", nostarttls: "none" };

function smtp(monitor: Plain): Converted {
  const security = lookUp(SMTP_SECURITY, textOf(own(monitor, "smtpSecurity")) ?? "");
  return service("smtp", { host: hostOf(monitor), port: portOf(monitor), security });
}

/** What each type of Kuma's is here. Absent: Vedette has no such kind. */
export const KUMA_TYPES: Readonly<Record<string, (monitor: Plain) => Converted>> = {
  http: (monitor) => webPage(monitor, []),
  keyword,
  "json-query": jsonQuery,
  "real-browser": (monitor) => {
    const made = webPage(monitor, []);
    if ("notes" in made) made.notes?.push(fact("import.browser"));
    return made;
  },
  port: at("tcp"),
  ping: (monitor) => service("icmp", { host: hostOf(monitor) }),
  "tailscale-ping": (monitor) => service("icmp", { host: hostOf(monitor) }),
  dns,
  push: () => service("heartbeat", {}, [fact("import.heartbeat")]),
  postgres: connected(asked),
  mysql: connected((monitor) => ({ ...asked(monitor), password: textOf(own(monitor, "radiusPassword")) })),
  redis,
  mongodb: connected(),
  mqtt,
  "grpc-keyword": grpc,
  smtp,
  "websocket-upgrade": (monitor) => {
    const found = monitorAt(textOf(own(monitor, "url")) ?? "");
    return "problem" in found
      ? { problem: found.problem, kind: "service" as CheckedKind }
      : { ...found, notes: [] };
  },
  group: () => service("group", {}),
};
