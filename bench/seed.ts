import { randomUUID } from "node:crypto";
import { createOrganization } from "../server/src/account/create-organization.ts";
import { issueKey } from "../server/src/account/issue-key.ts";
import { systemClock } from "../server/src/clock.ts";
import type { Context } from "../server/src/context.ts";
import { encodeState } from "../server/src/status/encode-state.ts";
import { applyResult, staleAt } from "../server/src/status/rules.ts";
import { initialState, type StatusConfig } from "../server/src/status/state.ts";
import { insertMany } from "../server/src/store/bulk.ts";
import { updateOrganization } from "../server/src/store/queries/organizations.ts";
import { confirmUserEmail, insertUser } from "../server/src/store/queries/users.ts";
import type { Store } from "../server/src/store/store.ts";

export interface Seeded {
  organizationId: number;
  /** An API key with every scope. */
  token: string;
}

/** A service's kind and settings, and what lists show of it. */
export interface SeedKind {
  type: string;
  config: object;
  target: string;
}

export interface SeedOptions {
  monitors: number;
  intervalSeconds: number;
  /** Default: 10. */
  timeoutSeconds?: number;
  /** Where monitor n (from 1) points; with `kindOf` only those of kind http. */
  urlOf(n: number): string;
  /** What monitor n is, where it is no domain. */
  kindOf?(n: number): SeedKind | null;
  /** Where they are checked; null: everywhere, so also by the server of the bench. */
  locations: string[] | null;
}

/** A store with one organization, a key, and monitors that were up ten seconds ago, by their numbers 1, 2, 3 … */
export async function seedMonitors(store: Store, options: SeedOptions): Promise<Seeded> {
  const ctx = { store, clock: systemClock, config: { defaultPlan: "expert" } } as Context;
  const now = Date.now();
  const seeded = await store.transaction(async (trx) => {
    const user = { uuid: randomUUID(), email: "bench@vedette.test", name: "Bench", passwordHash: "none" };
    const userId = (await insertUser(trx, user, now)) as number;
    await confirmUserEmail(trx, userId, now);
    const organization = await createOrganization({ ...ctx, db: trx }, { name: "Bench", ownerId: userId });
    await updateOrganization(trx, organization.id, { plan: "expert", reports: true }, now);
    return { userId, organizationId: organization.id };
  });
  const { token } = await issueKey({ ...ctx, db: store.db }, { ...seeded, name: "bench", scopes: ["*:*"] });
  const numbers = Array.from({ length: options.monitors }, (_, i) => i + 1);
  await insertMany(
    store.db,
    "monitors",
    numbers.map((n) => monitorRow(n, seeded.organizationId, options, now)),
  );
  const state = stateRow(options, now);
  await insertMany(
    store.db,
    "monitor_states",
    numbers.map((n) => ({ monitor_id: n, ...state })),
  );
  const history = { from_status: "unknown", to_status: "up", detected_at: now, maintenance: 0 };
  const since = now - 40 * 86_400_000;
  await insertMany(
    store.db,
    "transitions",
    numbers.map((n) => ({ organization_id: seeded.organizationId, monitor_id: n, at: since, ...history })),
  );
  return { organizationId: seeded.organizationId, token };
}

function monitorRow(n: number, organizationId: number, options: SeedOptions, now: number): object {
  const url = options.urlOf(n);
  const domain = { type: "http", config: { url }, target: url };
  const service = options.kindOf?.(n) ?? null;
  const { type, config, target } = service ?? domain;
  return {
    id: n,
    uuid: randomUUID(),
    organization_id: organizationId,
    kind: service === null ? "domain" : "service",
    type,
    name: `Domain ${n}`,
    target,
    display_target: target,
    config: JSON.stringify(config),
    interval_seconds: options.intervalSeconds,
    timeout_seconds: options.timeoutSeconds ?? 10,
    enabled: 1,
    locations: options.locations && JSON.stringify(options.locations),
    confirmations: 2,
    recoveries: 2,
    severity: "high",
    tags: '["bench"]',
    search_text: `domain ${n}\n${target}`,
    revision: 1,
    created_at: now,
    updated_at: now,
  };
}

/** What ingest would have written ten seconds ago. Who is checked nowhere here never goes stale. */
function stateRow({ intervalSeconds, timeoutSeconds = 10, locations }: SeedOptions, now: number): object {
  const config: StatusConfig = {
    intervalMs: intervalSeconds * 1000,
    timeoutMs: timeoutSeconds * 1000,
    confirmations: 2,
    recoveries: 2,
    maintenance: false,
  };
  const at = now - 10_000;
  const result = { location: "local", at, verdict: "ok", reason: null } as const;
  const { state } = applyResult(initialState(at), result, config, now);
  const phases = {
    dnsUs: null,
    connectUs: 500,
    tlsUs: null,
    firstByteUs: 20_000,
    transferUs: 400,
    totalUs: 21_000,
  };
  return {
    status: state.status,
    status_since: state.since,
    rules: encodeState(state),
    flapping: 0,
    last_check_at: at,
    last_outcome: 0,
    last_status_code: 200,
    last_total_us: phases.totalUs,
    last_result: JSON.stringify({ location: "local", address: "127.0.0.1", protocol: "http/1.1", phases }),
    consecutive_failures: 0,
    stale_at: locations === null ? staleAt(state, config) : null,
  };
}
