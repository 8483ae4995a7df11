import { sql } from "kysely";
import { createChannel } from "../../../src/alerts/operations/channels.ts";
import { createDomain } from "../../../src/monitors/domains.ts";
import { createService } from "../../../src/monitors/services.ts";
import type { Caller } from "../../../src/platform/access/caller.ts";
import type { Context } from "../../../src/platform/context.ts";
import { insertMany } from "../../../src/platform/database/bulk.ts";
import { openStore } from "../../../src/platform/database/open.ts";
import { TABLE_NAMES, type TableName } from "../../../src/platform/database/schema.ts";
import type { Store } from "../../../src/platform/database/store.ts";
import { PublicError } from "../../../src/platform/errors.ts";
import { callVerb } from "../../../src/platform/operations/call.ts";
import type { TestServer } from "../../harness/server.ts";
import { type EngineName, openTestStore } from "../../harness/stores.ts";

/** Three share a host, two more an address; M8 depends on M7, and that on M6; and M9 is a group of M3 and M5. */
export const MONITORS = 10;
export const GROUP = 9;
export const PARENT = 6;
const HOSTS = ["one", "one", "one", "three", "four", "five", "six", "seven", "eight"];
export const ADDRESSES = ["1", "1", "1", "3", "3", "5", "6", "7", "8"].map((end) => `192.0.2.${end}`);
const SEVERITIES = ["low", "medium", "high", "critical"] as const;

export const CHANNELS = ["everything", "critical", "tagged", "by day", "machine", "pager"] as const;
export type ChannelName = (typeof CHANNELS)[number];

/** What narrows a channel of that name. */
export function filterOf(name: ChannelName): { severities?: string[]; tags?: string[] } {
  if (name === "critical") return { severities: ["critical"] };
  return name === "tagged" ? { tags: ["own"] } : {};
}

/** What a channel of that name is made of. */
export function channelInput(name: ChannelName) {
  const type = name === "machine" ? "webhook" : name === "pager" ? "pagerduty" : "mattermost";
  const config = name === "pager" ? { key: "k" } : { url: "https://receiver.example/" };
  const hours = name === "by day" && { hours: { from: "08:00", to: "20:00" }, timeZone: "UTC" };
  return { name, type, config, ...filterOf(name), ...hours } as never;
}

/** Calls verbs as the organization's owner. `attempt`: what cannot be done now, as a merge of what was merged, is not. */
export function callerOf(ctx: Context, { id: organizationId, userId }: { id: number; userId: number }) {
  const caller: Caller = {
    ...{ kind: "session", userId, organizationId, role: "owner", plan: "expert", reports: true },
    ...{ apiKeyId: null, keyExpiresAt: null, sessionId: null, allOrganizations: true, scopes: ["*:*"] },
    ...{ requestId: "story", address: "192.0.2.1" },
  };
  const call = ((own, verb, input) => callVerb({ ...own, caller }, verb, input)) as typeof callVerb;
  const attempt = async (verb: unknown, input: object): Promise<void> => {
    await callVerb({ ...ctx, caller }, verb as never, input as never).catch((error: unknown) => {
      if (!(error instanceof PublicError) || error.kind === "invalid_input") throw error;
    });
  };
  return { call, attempt };
}

export interface Organization {
  id: number;
  userId: number;
  monitors: { id: number; uuid: string; name: string }[];
  channels: { id: number; name: ChannelName }[];
  /** Puts every row back as it was made. */
  restore(): Promise<void>;
}

/** Makes ten monitors and six channels by the verbs, once; every story begins with the same rows. */
export async function makeOrganization(server: TestServer): Promise<Organization> {
  const { ctx, person } = server;
  const { store } = ctx;
  const own = { id: person.organization.id, userId: person.userId };
  const { call } = callerOf(ctx, own);
  const monitors: Organization["monitors"] = [];
  for (let at = 0; at < GROUP; at += 1) {
    const { id, uuid, name } = await call(ctx, createDomain, {
      ...{ name: `M${at}`, url: `https://${HOSTS[at]}.example/${at}`, severity: SEVERITIES[at % 4] },
      ...{ tags: at % 2 === 0 ? ["own"] : [] },
      parents: at > PARENT ? [monitors[at - 1]?.uuid] : [],
    } as never);
    monitors.push({ id, uuid, name });
  }
  const members = [monitors[3]?.uuid, monitors[5]?.uuid];
  const { id, uuid, name } = await call(ctx, createService, {
    ...{ name: `M${GROUP}`, protocol: "group", protocolConfig: { members }, severity: "high" },
  } as never);
  monitors.push({ id, uuid, name });
  const channels: Organization["channels"] = [];
  for (const one of CHANNELS)
    channels.push({ id: (await call(ctx, createChannel, channelInput(one))).id, name: one });
  const restore = await snapshot(store);
  return { ...own, monitors, channels, restore };
}

/** No story begins with what the making of its monitors left behind; numbers of monitors follow from these. */
const NOT_RESTORED: readonly TableName[] = ["alert_events", "events", "audit_log", "monitor_counts"];
/** PostgreSQL keeps deleted rows, and runs here without what removes them. */
const STORIES_A_VACUUM = 25;

/** What puts all rows back as they are now. */
async function snapshot(store: Store): Promise<() => Promise<void>> {
  const rows = new Map<TableName, object[]>();
  for (const table of TABLE_NAMES) {
    const own = await store.db.selectFrom(table).selectAll().execute();
    if (own.length > 0 && !NOT_RESTORED.includes(table)) rows.set(table, own);
  }
  let stories = 0;
  return async () => {
    await emptyTables(store, TABLE_NAMES);
    if (store.pool && stories % STORIES_A_VACUUM === 0) await store.pool.query("vacuum");
    stories += 1;
    await store.transaction(async (trx) => {
      for (const [table, own] of rows) await insertMany(trx, table, own);
    });
  };
}

/** Removes every row of these tables, of those first that refer to others. */
export async function emptyTables({ transaction, pool }: Store, tables: readonly TableName[]): Promise<void> {
  const statements = tables.toReversed().map((table) => `delete from ${table}`);
  if (pool) await pool.query(statements.join(";"));
  else
    await transaction(async (trx) => {
      for (const one of statements) await sql.raw(one).execute(trx);
    });
}

/** SQLite's in memory: nothing here depends on the disk. */
export const openStoryStore = (engine: EngineName): Promise<Store> =>
  engine === "sqlite" ? openStore({ file: ":memory:" }) : openTestStore(engine);
