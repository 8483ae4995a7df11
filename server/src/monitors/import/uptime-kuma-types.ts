import { type MessageDescriptor, msg } from "../../platform/i18n/message.ts";
import { type Addressed, clean, monitorAt } from "./address.ts";
import { isOfNumbers, jsonOperator, limitOf, pathTo } from "./gatus-conditions.ts";
import { isPlain, isSaid, lookUp, numberOf, own, type Plain, textOf } from "./monitor-names.ts";
import { type Converted, expectedBy, webPage, websocket } from "./uptime-kuma-settings.ts";

const service = (protocol: string, config: object, notes: MessageDescriptor[] = []): Converted => ({
  kind: "service",
  body: { protocol, protocolConfig: clean(config) },
  notes,
});
const refused = (problem: MessageDescriptor): Converted => ({ problem, kind: "service" });
const unset = (setting: string): MessageDescriptor => msg("import.setting", { setting });

const hostOf = (monitor: Plain): string | undefined => textOf(own(monitor, "hostname"));
const portOf = (monitor: Plain): number | undefined => numberOf(own(monitor, "port"));

function addressed(
  address: string,
  scheme: string,
): { protocol: string; config: object } | { problem: MessageDescriptor } {
  const found: Addressed | { problem: MessageDescriptor } = monitorAt(address);
  if ("problem" in found) return found;
  const { protocol, protocolConfig } = found.body as { protocol?: string; protocolConfig?: object };
  if (!protocol || !protocolConfig) return { problem: msg("import.address", { scheme }) };
  return { protocol, config: protocolConfig };
}

/** For kinds with a single connection string. */
const connected =
  (more: (monitor: Plain) => { config?: object; notes?: MessageDescriptor[] } = () => ({})) =>
  (monitor: Plain): Converted => {
    const address = textOf(own(monitor, "databaseConnectionString")) ?? "";
    const found = addressed(address, "databaseConnectionString");
    if ("problem" in found) return refused(found.problem);
    const { config = {}, notes = [] } = more(monitor);
    return service(found.protocol, { ...found.config, ...clean(config) }, notes);
  };

function redis(monitor: Plain): Converted {
  const found = connected()(monitor);
  if ("problem" in found || !isSaid(own(monitor, "ignoreTls"))) return found;
  const config = found.body["protocolConfig"] as { tls?: boolean; ignoreCertificate?: boolean };
  if (config.tls) config.ignoreCertificate = true;
  return found;
}

/** A database's query and the expected text. */
function requested(monitor: Plain): { config: object; notes: MessageDescriptor[] } {
  const { expect, notes } = expectedBy(monitor, "result");
  const query = textOf(own(monitor, "databaseQuery"))?.trim();
  return { config: { query: query || undefined, expect }, notes };
}

/** Names and indexes: an unquoted hyphen would be a minus, so other names are in backticks. */
const JSONATA_PATH = /^\$?(?:\.?(?:[A-Za-z_]\w*|`[^`.[\]]{1,200}`)|\[\d{1,9}\])*$/;

function jsonQuery(monitor: Plain): Converted {
  const query = (textOf(own(monitor, "jsonPath")) ?? "").trim();
  // Only plain paths of JSONata; it compares texts, and accepts bodies that are not JSON.
  const path = JSONATA_PATH.test(query) ? pathTo(query.replace(/^\$\.?/, "").replaceAll("`", "")) : null;
  const said = textOf(own(monitor, "jsonPathOperator")) ?? "==";
  const operator = said === "contains" ? said : jsonOperator(said);
  if (!operator || path === null)
    return { problem: msg("import.json_path", { path: query }), kind: "domain" };
  const expected = textOf(own(monitor, "expectedValue")) ?? "";
  const value = isOfNumbers(operator) ? limitOf(expected) : expected;
  return webPage(monitor, [{ type: "json", path, operator, value, compareAs: "text" }]);
}

function keyword(monitor: Plain): Converted {
  const value = textOf(own(monitor, "keyword"));
  const operator = isSaid(own(monitor, "invertKeyword")) ? "absent" : "present";
  const found = webPage(monitor, value === undefined ? [] : [{ type: "keyword", operator, value }]);
  if ("notes" in found && value !== undefined && JSON_MARKS.test(value))
    found.notes?.push(msg("import.keyword_json", { keyword: value.slice(0, MAX_SHOWN) }));
  return found;
}

/** JSON tokens between which servers may write spaces. */
const JSON_MARKS = /" *[:,\]}]|[[{:,] *["[{]|\d *[,\]}] *["\d\]}]/;
const MAX_SHOWN = 100;

/** For other record types Kuma compares a part. */
const WHOLE_RECORDS = ["A", "AAAA", "CNAME", "NS", "PTR", "TXT"];

function dns(monitor: Plain): Converted {
  const servers = (textOf(own(monitor, "dns_resolve_server")) ?? "").split(",").map((one) => one.trim());
  const [server, ...others] = servers;
  const recordType = textOf(own(monitor, "dns_resolve_type"));
  const isWhole = WHOLE_RECORDS.includes(recordType ?? "A");
  const { expect, notes } = expectedBy(monitor, isWhole ? "record" : "");
  return service(
    "dns",
    { hostname: hostOf(monitor), recordType, server: server || undefined, port: portOf(monitor), expect },
    [...others.filter(Boolean).map(unset), ...notes],
  );
}

/** With TLS if Kuma checks the certificate. */
function port(monitor: Plain): Converted {
  const alert = textOf(own(monitor, "expectedTlsAlert")) ?? "none";
  if (alert !== "none") return refused(msg("import.opposite", { condition: alert }));
  const security = textOf(own(monitor, "smtpSecurity"));
  const isWatched = isSaid(own(monitor, "expiryNotification"));
  const tls = security === "secure" && isWatched ? true : undefined;
  const ignoreCertificate = tls && isSaid(own(monitor, "ignoreTls")) ? true : undefined;
  const notes = security === "starttls" && isWatched ? [unset("smtpSecurity: starttls")] : [];
  return service("tcp", { host: hostOf(monitor), port: portOf(monitor), tls, ignoreCertificate }, notes);
}

function mqtt(monitor: Plain): Converted {
  const typed = hostOf(monitor) ?? "";
  const found = addressed(typed.includes("://") ? typed : `mqtt://${typed}`, "hostname");
  if ("problem" in found) return refused(found.problem);
  if (found.protocol !== "mqtt") return refused(msg("import.kind", { type: `mqtt (${found.protocol})` }));
  const isJson = own(monitor, "mqttCheckType") === "json-query";
  const config = {
    ...found.config,
    ...clean({ port: portOf(monitor) }),
    user: textOf(own(monitor, "mqttUsername")),
    password: textOf(own(monitor, "mqttPassword")),
    topic: textOf(own(monitor, "mqttTopic")),
    expect: isJson ? undefined : textOf(own(monitor, "mqttSuccessMessage")),
  };
  return service("mqtt", config, isJson ? [unset("jsonPath"), unset("expectedValue")] : []);
}

/** Kuma calls any method; Vedette requests the standard health service. */
function grpc(monitor: Plain): Converted {
  const name = textOf(own(monitor, "grpcServiceName")) ?? "";
  const method = textOf(own(monitor, "grpcMethod")) ?? "check";
  if (!/(?:^|\.)Health$/i.test(name) || !/^check$/i.test(method))
    return refused(msg("import.grpc", { method: name }));
  const word = textOf(own(monitor, "keyword"));
  if (isSaid(own(monitor, "invertKeyword")) && word !== undefined && !/NOT_SERVING|UNKNOWN/.test(word))
    return refused(msg("import.opposite", { condition: word }));
  const tls = isSaid(own(monitor, "grpcEnableTls"));
  const found = addressed(`${tls ? "grpcs" : "grpc"}://${textOf(own(monitor, "grpcUrl")) ?? ""}`, "grpcUrl");
  if ("problem" in found) return refused(found.problem);
  const isOther = word !== undefined && !/SERVING/.test(word);
  return service(
    found.protocol,
    { ...found.config, service: healthOf(textOf(own(monitor, "grpcBody"))) },
    isOther ? [unset(`keyword: ${word}`)] : [],
  );
}

/** From a body such as `{"service": "shop.Orders"}`. */
function healthOf(body: string | undefined): string | undefined {
  try {
    const requested: unknown = JSON.parse(body ?? "{}");
    return isPlain(requested) ? textOf(own(requested, "service")) : undefined;
  } catch {
    return undefined;
  }
}

const SMTP_SECURITY = { secure: "tls", starttls: "starttls", nostarttls: "none" };

function smtp(monitor: Plain): Converted {
  // By default Kuma uses STARTTLS if offered, and accepts servers without it.
  const security = lookUp(SMTP_SECURITY, textOf(own(monitor, "smtpSecurity")) ?? "") ?? "none";
  return service("smtp", { host: hostOf(monitor), port: portOf(monitor), security });
}

const MAX_PINGS = 10;

function ping(monitor: Plain): Converted {
  const count = numberOf(own(monitor, "ping_count"));
  const notes =
    count !== undefined && count > MAX_PINGS
      ? [msg("import.changed", { setting: "ping_count", from: count, to: MAX_PINGS })]
      : [];
  const most = count === undefined ? undefined : Math.min(Math.max(1, Math.round(count)), MAX_PINGS);
  return service("icmp", { host: hostOf(monitor), count: most }, notes);
}

/** By Kuma's type. Absent: unsupported. */
export const KUMA_TYPES: Readonly<Record<string, (monitor: Plain) => Converted>> = {
  http: (monitor) => webPage(monitor, []),
  keyword,
  "json-query": jsonQuery,
  "real-browser": (monitor) => {
    const made = webPage(monitor, []);
    if ("notes" in made) made.notes?.push(msg("import.browser"));
    return made;
  },
  port,
  ping,
  "tailscale-ping": (monitor) => service("icmp", { host: hostOf(monitor) }, [unset("tailscale")]),
  dns,
  push: () => service("heartbeat", {}, [msg("import.heartbeat")]),
  postgres: connected(requested),
  mysql: connected((monitor) => {
    const { config, notes } = requested(monitor);
    return { config: { ...config, password: textOf(own(monitor, "radiusPassword")) }, notes };
  }),
  redis,
  mongodb: connected(),
  mqtt,
  "grpc-keyword": grpc,
  smtp,
  "websocket-upgrade": websocket,
  group: () => service("group", {}),
};
