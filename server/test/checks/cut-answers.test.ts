import net from "node:net";
import { expect, test } from "vitest";
import type { ActiveKind } from "../../src/checks/check.ts";
import { activeKind, checkKinds } from "../../src/checks/registry.ts";
import { CONVERSATIONS, type Conversation, type Talk } from "../harness/conversations.ts";
import { startLineTarget } from "../harness/line-target.ts";
import { readable } from "../harness/reasons.ts";
import { closing, makeNetwork } from "./factories.ts";

const conversations: Record<string, Conversation> = CONVERSATIONS;
const kinds = Object.entries(conversations).filter(([, { talk }]) => talk !== undefined);
/** Long conversations are cut at some places only. */
const MAX_CUTS = 60;
/** What a server may leave out at the end: that it knows more than was requested (RFC 8308), and tickets of TLS. */
const OPTIONAL: Record<string, boolean> = { ssh: true, tls: true };

test("every kind that connects is cut somewhere", () => {
  const connecting = Object.values(checkKinds).filter((kind) => kind.phases.includes("connect" as never));
  expect(kinds.map(([type]) => type).toSorted()).toEqual(connecting.map(({ type }) => type).toSorted());
});

/** Passes on so many bytes of what the server says, then hangs up. */
async function startCutting(talk: Talk) {
  const behind = closing(await startLineTarget(talk));
  const state = { limit: Number.POSITIVE_INFINITY, passed: 0 };
  const { port } = closing(
    await startLineTarget((client) => {
      const server = net.connect(behind.port, "127.0.0.1").on("error", () => client.destroy());
      client.pipe(server);
      client.on("close", () => server.destroy());
      state.passed = 0;
      if (state.limit === 0) client.end();
      server.on("end", () => client.end());
      server.on("data", (bytes: Buffer) => {
        const some = bytes.subarray(0, Math.max(0, state.limit - state.passed));
        state.passed += some.length;
        if (client.writable) client.write(some);
        if (state.passed >= state.limit) client.end();
      });
    }),
  );
  return { port, state };
}

test.each(kinds)(
  "a check of kind %s is up by the whole of an answer only",
  async (type, { config, talk }) => {
    const { port, state } = await startCutting(await (talk as () => Promise<Talk>)());
    const environment = { network: await makeNetwork(), timeoutMs: 5000 };
    const kind = activeKind(type) as ActiveKind;
    const run = async (limit: number) => {
      state.limit = limit;
      return readable(await kind.run(config(port) as never, environment));
    };
    const { verdict, reason } = await run(Number.POSITIVE_INFINITY);
    expect({ verdict, reason }).toEqual({ verdict: "ok", reason: null });
    const whole = state.passed;
    const places = Array.from({ length: whole }, (_, at) => at);
    const step = Math.ceil(places.length / MAX_CUTS);
    const passing: number[] = [];
    for (const limit of places.filter((at) => at % step === 0 || at === whole - 1)) {
      const outcome = await run(limit);
      if (outcome.verdict === "ok") passing.push(limit);
      // The end is noticed at once, not when the time is up.
      else expect([limit, outcome.reasonCode]).not.toEqual([limit, "timeout"]);
    }
    expect(passing.filter((limit) => !OPTIONAL[type] || limit < whole / 2)).toEqual([]);
  },
);
