import { checkAgent } from "./agent.ts";
import type { ActiveKind, CheckKind } from "./check.ts";
import { checkDns } from "./dns.ts";
import { checkFtp } from "./ftp.ts";
import { checkGroup } from "./group.ts";
import { checkGrpc } from "./grpc.ts";
import { checkHeartbeat } from "./heartbeat.ts";
import { checkHttp } from "./http/http.ts";
import { checkIcmp } from "./icmp.ts";
import { checkImap } from "./imap.ts";
import { checkMongodb } from "./mongodb.ts";
import { checkMqtt } from "./mqtt.ts";
import { checkMysql } from "./mysql.ts";
import { checkPop3 } from "./pop3.ts";
import { checkPostgres } from "./postgres.ts";
import { checkRedis } from "./redis.ts";
import { checkSmtp } from "./smtp.ts";
import { checkSsh } from "./ssh.ts";
import { checkTcp } from "./tcp.ts";
import { checkTls } from "./tls.ts";
import { checkUdp } from "./udp.ts";
import { checkWebsocket } from "./websocket.ts";

/** Every kind of check that a domain or a service may have; adding one is a file and a line here. */
// biome-ignore lint/suspicious/noExplicitAny: each kind knows its own configuration; callers validate it by configSchema.
export const checkKinds = {
  http: checkHttp,
  tcp: checkTcp,
  udp: checkUdp,
  icmp: checkIcmp,
  dns: checkDns,
  ftp: checkFtp,
  ssh: checkSsh,
  imap: checkImap,
  pop3: checkPop3,
  tls: checkTls,
  websocket: checkWebsocket,
  smtp: checkSmtp,
  grpc: checkGrpc,
  postgres: checkPostgres,
  mysql: checkMysql,
  redis: checkRedis,
  mongodb: checkMongodb,
  mqtt: checkMqtt,
  heartbeat: checkHeartbeat,
  group: checkGroup,
} satisfies Record<string, CheckKind<any>>;

export type CheckType = keyof typeof checkKinds;

/** Those, and that of devices. */
const allKinds: Readonly<Record<string, CheckKind<never>>> = { ...checkKinds, [checkAgent.type]: checkAgent };

export function checkKind(type: string): CheckKind<never> | null {
  return Object.hasOwn(allKinds, type) ? (allKinds[type] ?? null) : null;
}

/** The same for probes: null for a type that none can run, or that an older probe does not know. */
export function activeKind(type: string): ActiveKind | null {
  const kind = checkKind(type);
  return kind !== null && "run" in kind ? kind : null;
}

const typesWith = (form: "passive" | "derived"): readonly string[] =>
  Object.values(allKinds)
    .filter((kind) => form in kind)
    .map(({ type }) => type);

export const passiveTypes = typesWith("passive");

export const derivedTypes = typesWith("derived");

export const unprobedTypes: readonly string[] = [...passiveTypes, ...derivedTypes];
