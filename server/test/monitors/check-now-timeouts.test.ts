import dgram from "node:dgram";
import { once } from "node:events";
import { chmodSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import { activeKind, checkKinds } from "../../src/checks/registry.ts";
import { temporaryFolder } from "../engine/probe/factories.ts";
import { CONVERSATIONS, type Conversation } from "../harness/conversations.ts";
import { startLineTarget } from "../harness/line-target.ts";
import { timed } from "../harness/stopwatch.ts";
import { eachEngine } from "../harness/stores.ts";
import { servingChecks } from "./checking.ts";
import { makeService } from "./services/factories.ts";

const TIMEOUT_SECONDS = 1;
/** By how much the answer may be later than the check's own timeout. */
const WAY_MS = 1_000;
const AT_ONCE = 6;
const ATTEMPTS = 5;

const conversations: Record<string, Conversation> = CONVERSATIONS;
const active = Object.values(checkKinds).filter(({ type }) => activeKind(type) !== null);

/** A port without answers, over TCP and UDP. */
async function startSilence(): Promise<number> {
  const { port, close } = await startLineTarget(() => {});
  const socket = dgram.createSocket("udp4").bind(port, "127.0.0.1");
  await once(socket, "listening");
  onTestFinished(async () => {
    socket.close();
    await close();
  });
  return port;
}

/** A program named ping that never says anything. */
function silencePing(): void {
  const folder = temporaryFolder();
  writeFileSync(join(folder, "ping"), "#!/bin/sh\ntrap '' INT\nexec sleep 60\n");
  chmodSync(join(folder, "ping"), 0o755);
  vi.stubEnv("PATH", `${folder}:/usr/bin:/bin`);
  onTestFinished(() => void vi.unstubAllEnvs());
}

eachEngine("a check that somebody requests", (engine) => {
  test("is answered within its timeout and a second where nobody answers it, whatever its kind", async () => {
    silencePing();
    const server = await servingChecks({ engine });
    const port = await startSilence();
    const made = await Promise.all(
      active.map(({ type }) =>
        makeService(server, {
          name: type,
          protocol: type,
          protocolConfig: conversations[type]?.config(port) ?? { host: "127.0.0.1" },
          timeout: TIMEOUT_SECONDS,
          checkInterval: 86_400,
        }),
      ),
    );
    const check = async ({ id, protocol }: { id: number; protocol: string }) => {
      const { value, tookMs, blockedMs } = await timed(() => server.api("POST", `/api/services/${id}/check`));
      const overMs = Math.max(0, tookMs - blockedMs - TIMEOUT_SECONDS * 1_000 - WAY_MS);
      return [protocol, value.status, value.body.data?.reasonCode, Math.round(overMs)];
    };
    /** A machine that others keep busy may be late now and then: one in time shows that it can be. */
    const inTime = async (one: (typeof made)[number]) => {
      for (let attempt = 1; ; attempt += 1) {
        const answer = await check(one);
        if (attempt === ATTEMPTS || (answer[1] === 200 && answer[3] === 0)) return answer;
      }
    };
    const answers: unknown[] = [];
    for (let at = 0; at < made.length; at += AT_ONCE) {
      answers.push(...(await Promise.all(made.slice(at, at + AT_ONCE).map(inTime))));
    }
    expect(answers).toEqual(active.map(({ type }) => [type, 200, "timeout", 0]));
  });
});
