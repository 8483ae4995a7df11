import { randomBytes } from "node:crypto";
import { onTestFinished } from "vitest";
import { type Engine, type EngineOptions, type Stages, startEngine } from "../../../src/app/engine.ts";
import { ingestBatch, laterRooms, sweepStale } from "../../../src/app/pipeline.ts";
import { createResolver } from "../../../src/checks/resolve.ts";
import { runPacking } from "../../../src/engine/results/pack-results.ts";
import { runRetention } from "../../../src/engine/results/retention.ts";
import { createState } from "../../../src/engine/status/monitor-states.ts";
import { packMetrics } from "../../../src/monitors/devices/metrics/pack-metrics.ts";
import { markMonitorsDeleted } from "../../../src/monitors/queries/monitor-changes.ts";
import { insertMonitor, saveSettings } from "../../../src/monitors/queries/monitors.ts";
import type { Context } from "../../../src/platform/context.ts";
import type { Store } from "../../../src/platform/database/store.ts";
import { createSecretBox } from "../../../src/platform/secrets/secret-box.ts";
import { temporaryFolder } from "../../engine/probe/factories.ts";
import { recordingLog } from "../../harness/recording-log.ts";
import { testConfig } from "../../harness/server.ts";
import { type EngineName, openTestStore } from "../../harness/stores.ts";

export interface MonitorWish {
  url: string;
  config?: object;
  secrets?: object;
  intervalSeconds?: number;
  timeoutSeconds?: number;
  enabled?: boolean;
  locations?: string[] | null;
  type?: string;
}

/** A fresh store with an organization, and a context whose clock can be set ahead. */
export async function installation(name: EngineName, open?: Store) {
  const store = open ?? (await openTestStore(name));
  if (!open) onTestFinished(() => store.close());
  const clock = { aheadMs: 0, now: () => Date.now() + clock.aheadMs };
  const log = recordingLog();
  const secrets = createSecretBox(randomBytes(32));
  const ctx = {
    store,
    clock,
    log,
    secrets,
    config: testConfig({ dataFolder: temporaryFolder() }),
    network: { resolver: createResolver({ servers: [] }), policy: "all" },
    live: { wake() {} },
    ...laterRooms,
  } as unknown as Context;
  const organizationId = await anOrganization(store);
  const settingsOf = (wish: MonitorWish, number: number) => ({
    name: `Monitor ${number}`,
    type: wish.type ?? "http",
    target: wish.url,
    displayTarget: wish.url,
    config: { url: wish.url, ...wish.config },
    secrets: wish.secrets ? secrets.seal(JSON.stringify(wish.secrets)) : null,
    intervalSeconds: wish.intervalSeconds ?? 86_400,
    timeoutSeconds: wish.timeoutSeconds ?? 5,
    enabled: wish.enabled ?? true,
    locations: wish.locations ?? null,
    confirmations: 2,
    recoveries: 2,
    recheckDelaySeconds: 2,
    severity: "high" as const,
    tags: [],
  });
  let made = 0;
  return {
    ctx,
    store,
    clock,
    log,
    organizationId,
    addMonitor: (wish: MonitorWish) =>
      store.transaction(async (trx) => {
        made += 1;
        const kind = "domain" as const;
        const identity = { uuid: crypto.randomUUID(), organizationId, kind };
        const id = await insertMonitor(trx, { ...settingsOf(wish, made), ...identity }, clock.now());
        await createState(trx, id, clock.now());
        return id;
      }),
    changeMonitor: (id: number, wish: MonitorWish) =>
      saveSettings(store.db, id, settingsOf(wish, id), clock.now()),
    deleteMonitor: (id: number) => markMonitorsDeleted(store.db, [id], clock.now()),
    results: (monitorId: number) =>
      store.db
        .selectFrom("results")
        .selectAll()
        .where("monitor_id", "=", monitorId)
        .orderBy("scheduled_at")
        .execute(),
    async start(stages: Partial<Stages> = {}, options: EngineOptions = {}): Promise<Engine> {
      const engine = await startEngine(
        ctx,
        { ingestBatch, sweepStale, runPacking, packMetrics, runRetention, ...stages },
        options,
      );
      onTestFinished(() => engine.stop());
      return engine;
    },
  };
}

export type Installation = Awaited<ReturnType<typeof installation>>;

async function anOrganization(store: Store): Promise<number> {
  const uuid = crypto.randomUUID();
  const { id } = await store.db
    .insertInto("organizations")
    .values({ uuid, name: "Acme", slug: uuid, plan: "expert", reports: 1, created_at: 0, updated_at: 0 })
    .returning("id")
    .executeTakeFirstOrThrow();
  return id;
}
