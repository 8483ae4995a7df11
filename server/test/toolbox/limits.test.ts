import { describe, expect, it, onTestFinished, vi } from "vitest";
import { followProgress } from "../../src/toolbox/ports/progress.ts";
import { TOOLS } from "../../src/toolbox/registry.ts";
import type { Tool } from "../../src/toolbox/tool.ts";
import { TOOL_FORMS } from "../../src/wire/toolbox/forms.ts";
import { startTestServer } from "../harness/server.ts";
import { REFUSED_INPUTS } from "./refused-inputs.ts";

describe("the toolbox", () => {
  it("answers a person sixty times a minute, whichever tools they use in whichever family, and another as often", async () => {
    const server = await startTestServer({ engine: "sqlite", config: { rateLimits: true } });
    onTestFinished(() => server.close());
    const addresses = ["/api/toolbox/ping", "/v2/toolbox/ping", "/api/toolbox/traceroute"];
    const ask = (at: number, key?: string) =>
      server.api("POST", addresses[at % addresses.length] ?? "", REFUSED_INPUTS.pingHost, {
        ...(key && { key }),
      });
    const codes: number[] = [];
    for (let asked = 0; asked < 60; asked += 1) codes.push((await ask(asked)).status);
    expect(new Set(codes)).toEqual(new Set([422]));
    const { status, body, headers } = await ask(0);
    expect([status, body.message, headers.get("ratelimit-limit")]).toEqual([429, "Too Many Attempts.", "60"]);
    expect(Number(headers.get("retry-after"))).toBeGreaterThan(0);
    expect((await server.api("GET", "/api/domains")).status).toBe(200);
    expect((await ask(0, await server.createKey({ plan: "expert" }))).status).toBe(422);
  });
});

describe("the progress of a scan", () => {
  it("is told at every percent, and each second where nothing happens", () => {
    vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
    onTestFinished(() => void vi.useRealTimers());
    const told: number[] = [];
    const progress = followProgress(1_000, (percent) => void told.push(percent));
    for (let at = 0; at < 25; at += 1) progress.count();
    expect(told).toEqual([0, 1, 2]);
    vi.advanceTimersByTime(1_000);
    vi.advanceTimersByTime(1_000);
    expect(told).toEqual([0, 1, 2, 2, 2]);
    progress.stop();
    vi.advanceTimersByTime(5_000);
    expect(told).toHaveLength(5);
  });
});

it("shows forms of the tools that there are, with what they take", () => {
  const declared = Object.values<Tool>(TOOLS).map(({ name, subject, input }) => ({ name, subject, input }));
  expect(TOOL_FORMS).toEqual(declared);
});
