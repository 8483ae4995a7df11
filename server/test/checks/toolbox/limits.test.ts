import { describe, expect, it, onTestFinished, vi } from "vitest";
import { followProgress } from "../../../src/checks/toolbox/ports/scan-ports.ts";
import { TOOLS } from "../../../src/checks/toolbox/registry.ts";
import { TOOL_FORMS } from "../../../src/checks/toolbox/schemas/forms.ts";
import type { Tool } from "../../../src/checks/toolbox/tool.ts";
import { inPlace } from "../../../src/checks/toolbox/tool-verbs.ts";
import type { Context } from "../../../src/platform/context.ts";
import { readMeta, writeMeta } from "../../../src/platform/database/installation.ts";
import { startTestServer } from "../../harness/server.ts";
import { eachEngine, openTestStore } from "../../harness/stores.ts";
import { REFUSED_INPUTS } from "./refused-inputs.ts";

describe("the toolbox", () => {
  it("answers a person sixty times a minute, whichever tools they use in whichever family, and another as often", async () => {
    const server = await startTestServer({ engine: "sqlite", config: { rateLimits: true } });
    onTestFinished(() => server.close());
    const addresses = ["/api/toolbox/ping", "/v2/toolbox/ping", "/api/toolbox/traceroute"];
    const request = (at: number, key?: string) =>
      server.api("POST", addresses[at % addresses.length] ?? "", REFUSED_INPUTS.pingHost, {
        ...(key && { key }),
      });
    const codes: number[] = [];
    for (let count = 0; count < 60; count += 1) codes.push((await request(count)).status);
    expect(new Set(codes)).toEqual(new Set([422]));
    const { status, body, headers } = await request(0);
    expect([status, body.message, headers.get("ratelimit-limit")]).toEqual([429, "Too Many Attempts.", "60"]);
    expect(Number(headers.get("retry-after"))).toBeGreaterThan(0);
    expect((await server.api("GET", "/api/domains")).status).toBe(200);
    expect((await request(0, await server.createKey({ plan: "expert" }))).status).toBe(422);
  });
});

eachEngine("a place of a tool", (engine) => {
  /** What is needed to work in the only place of an organization, and who has it. */
  async function open() {
    const store = await openTestStore(engine);
    onTestFinished(() => store.close());
    const warnings: string[] = [];
    const log = {
      warn: (_: object, message: string) => void warnings.push(message),
    } as unknown as Context["log"];
    const clock = { now: () => 1_000_000 };
    const place = { tool: "port-scanner", organizationId: 7, limit: 1 };
    const holder = () => readMeta(store.db, "tool:port-scanner:7:1");
    return { ctx: { store, clock, log }, place, holder, warnings };
  }

  it("is given back only by its holder, renewed or not", async () => {
    const { ctx, place, holder, warnings } = await open();
    await inPlace(ctx, place, async () => {
      expect(await holder()).toBe("1060000");
      await expect(inPlace(ctx, place, async () => {})).rejects.toMatchObject({ kind: "rate_limited" });
    });
    expect(await holder()).toBeNull();
    await inPlace(ctx, place, async () => {
      // It was paused for so long that another has taken the place.
      await writeMeta(ctx.store.db, "tool:port-scanner:7:1", "1090000");
    });
    expect([await holder(), warnings]).toEqual(["1090000", []]);
  });

  it("is not written again by a renewal that is under way when it is given back", async () => {
    const { ctx, place, holder } = await open();
    vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
    onTestFinished(() => void vi.useRealTimers());
    let now = 1_000_000;
    ctx.clock.now = () => now;
    for (let round = 0; round < 20; round += 1) {
      await inPlace(ctx, place, async () => {
        now += 20_000;
        vi.advanceTimersByTime(20_000);
      });
      expect(await holder()).toBeNull();
    }
    await inPlace(ctx, place, async () => {
      now += 20_000;
      vi.advanceTimersByTime(20_000);
      await vi.waitFor(async () => expect(await holder()).toBe(String(now + 60_000)));
    });
  });
});

describe("the progress of a scan", () => {
  it("is reported at every percent, and each second where nothing happens", () => {
    vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
    onTestFinished(() => void vi.useRealTimers());
    const reported: number[] = [];
    const progress = followProgress(1_000, (percent) => void reported.push(percent));
    for (let at = 0; at < 25; at += 1) progress.count();
    expect(reported).toEqual([0, 1, 2]);
    vi.advanceTimersByTime(1_000);
    vi.advanceTimersByTime(1_000);
    expect(reported).toEqual([0, 1, 2, 2, 2]);
    progress.stop();
    vi.advanceTimersByTime(5_000);
    expect(reported).toHaveLength(5);
  });
});

it("shows forms of the tools that there are, with what they take", () => {
  const declared = Object.values<Tool>(TOOLS).map(({ name, subject, input }) => ({ name, subject, input }));
  expect(TOOL_FORMS).toEqual(declared);
});
