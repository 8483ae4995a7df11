import dgram from "node:dgram";
import dns from "node:dns";
import { writeFileSync } from "node:fs";
import net from "node:net";
import { join } from "node:path";
import dnsPacket from "dns-packet";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { createEgressGuard } from "../../../src/engine/probe/egress.ts";
import { eventually } from "../../harness/eventually.ts";
import { aReason } from "../../harness/reasons.ts";
import { anOutcome, temporaryFolder } from "./factories.ts";

/** A TCP listener that can be made deaf: connections are not accepted and time out. */
async function startReference() {
  let connections = 0;
  const server = net.createServer((socket) => {
    connections += 1;
    socket.end();
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  const { port } = server.address() as net.AddressInfo;
  return { target: `127.0.0.1:${port}`, server, count: () => connections };
}

/** A name server that answers with what `rcode` says, or not at all (null). */
async function startNameServer() {
  const behaviour: { rcode: "NOERROR" | "SERVFAIL" | "REFUSED" | null; lateMs: number } = {
    rcode: "NOERROR",
    lateMs: 0,
  };
  let queries = 0;
  /** A test may end before its answers are due. */
  const late: NodeJS.Timeout[] = [];
  const socket = dgram.createSocket("udp4");
  socket.on("message", (message, peer) => {
    queries += 1;
    if (behaviour.rcode === null) return;
    const { id, questions } = dnsPacket.decode(message);
    const flags = dnsPacket.RECURSION_AVAILABLE | { NOERROR: 0, SERVFAIL: 2, REFUSED: 5 }[behaviour.rcode];
    const answers: dnsPacket.Answer[] =
      behaviour.rcode === "NOERROR" ? [{ type: "NS", name: ".", data: "ns.root.test", ttl: 60 }] : [];
    const answer = dnsPacket.encode({ id, type: "response", flags, questions, answers });
    late.push(setTimeout(() => socket.send(answer, peer.port, peer.address), behaviour.lateMs));
  });
  await new Promise<void>((resolve) => socket.bind(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    for (const timer of late) clearTimeout(timer);
    socket.close();
  });
  return { address: `127.0.0.1:${socket.address().port}`, behaviour, count: () => queries };
}

const settings = { resolvers: [], timeoutMs: 200, spacingMs: 0 };

/** What the guard says of a check that began and ended just now. */
const now = () => ({ startedMs: performance.now(), endedMs: performance.now() });
const failure = (
  reasonCode: "dns" | "refused" | "timeout" | "unreachable" | "status",
  address: string | null,
) => anOutcome({ verdict: "failed", reason: aReason(reasonCode), address });

describe("egress guard", () => {
  it.each([
    ["a time-out of a public address", failure("timeout", "192.0.43.8"), true],
    ["an unreachable public address", failure("unreachable", "2606:4700::1111"), true],
    ["a name that could not be resolved", failure("dns", null), true],
    ["a refused connection: an answer came back", failure("refused", "192.0.43.8"), false],
    ["a wrong status: an answer came back", failure("status", "192.0.43.8"), false],
    ["a private address", failure("timeout", "10.1.2.3"), false],
    ["a loopback address", failure("timeout", "127.0.0.1"), false],
    ["a success", anOutcome(), false],
  ])("is queried, or not, about %s", async (_name, outcome, expected) => {
    const { target } = await startReference();
    expect(createEgressGuard({ ...settings, referenceTargets: [target] }).concerns(outcome)).toBe(expected);
  });

  it("takes a refused connection for an answer: the line works", async () => {
    const reference = await startReference();
    const guard = createEgressGuard({ ...settings, referenceTargets: [reference.target] });
    expect(await guard.isCutOff(now())).toBe(false);
    await new Promise((resolve) => reference.server.close(resolve));
    expect(await guard.isCutOff(now())).toBe(false);
  });

  it("takes silence of every name server for being cut off, and one answer for being connected", async () => {
    const [first, second] = [await startNameServer(), await startNameServer()];
    const guard = createEgressGuard({
      ...settings,
      referenceTargets: [],
      resolvers: [first.address, second.address],
    });
    expect(await guard.isCutOff(now())).toBe(false);
    first.behaviour.rcode = null;
    expect(await guard.isCutOff(now())).toBe(false);
    second.behaviour.rcode = null;
    expect(await guard.isCutOff(now())).toBe(true);
    second.behaviour.rcode = "NOERROR";
    expect(await guard.isCutOff(now())).toBe(false);
  });

  it("takes SERVFAIL for no answer: a forwarder that is cut off itself says that", async () => {
    const server = await startNameServer();
    const guard = createEgressGuard({ ...settings, referenceTargets: [], resolvers: [server.address] });
    expect(await guard.isCutOff(now())).toBe(false);
    server.behaviour.rcode = "SERVFAIL";
    expect(await guard.isCutOff(now())).toBe(true);
  });

  it("does not blind an isolated installation whose references never answered", async () => {
    const server = await startNameServer();
    server.behaviour.rcode = null;
    const guard = createEgressGuard({ ...settings, referenceTargets: [], resolvers: [server.address] });
    expect(await guard.isCutOff(now())).toBe(false);
    expect(await guard.isCutOff(now())).toBe(false);
  });

  it("is not taken in by a machine that starts before its network: it remembers having had a line", async () => {
    const server = await startNameServer();
    const markFile = join(temporaryFolder(), "answered");
    const options = { ...settings, referenceTargets: [], resolvers: [server.address], markFile };
    expect(await createEgressGuard(options).isCutOff(now())).toBe(false);
    server.behaviour.rcode = null;
    const restarted = createEgressGuard(options);
    expect(await restarted.isCutOff(now())).toBe(true);
    server.behaviour.rcode = "NOERROR";
    expect(await restarted.isCutOff(now())).toBe(false);
    server.behaviour.rcode = null;
    expect(await createEgressGuard({ ...options, recallMs: 0 }).isCutOff(now())).toBe(false);
  });

  it("shares one test among all failures that ended before it began, and waits for one at most", async () => {
    const server = await startNameServer();
    server.behaviour.rcode = null;
    const guard = createEgressGuard({ ...settings, referenceTargets: [], resolvers: [server.address] });
    await eventually(server.count, (count) => count === 1);
    const waiting = Array.from({ length: 50 }, () => guard.isCutOff(now()));
    await Promise.all(waiting);
    expect(server.count()).toBe(2);
  });

  it("keeps its tests apart, however many checks fail", async () => {
    const server = await startNameServer();
    const options = { ...settings, spacingMs: 150, referenceTargets: [], resolvers: [server.address] };
    const guard = createEgressGuard(options);
    const began = performance.now();
    for (let count = 0; count < 3; count += 1) expect(await guard.isCutOff(now())).toBe(false);
    expect(performance.now() - began).toBeGreaterThan(440);
    expect(server.count()).toBe(4);
  });

  it("does not take a line for up because it was when a check was under way", async () => {
    const server = await startNameServer();
    const guard = createEgressGuard({ ...settings, referenceTargets: [], resolvers: [server.address] });
    expect(await guard.isCutOff(now())).toBe(false);
    server.behaviour.lateMs = 100;
    const startedMs = performance.now();
    // Begun before these checks ended: its answer says nothing about the moment of their failure.
    const earlier = guard.isCutOff(now());
    await eventually(server.count, (count) => count === 3);
    server.behaviour.rcode = null;
    const checks = [now(), { startedMs, endedMs: performance.now() }];
    expect(await Promise.all(checks.map(guard.isCutOff))).toEqual([true, true]);
    expect(await earlier).toBe(false);
  });

  it("counts a check as cut off that was under way while the line was, even if it is back", async () => {
    const server = await startNameServer();
    const guard = createEgressGuard({ ...settings, referenceTargets: [], resolvers: [server.address] });
    expect(await guard.isCutOff(now())).toBe(false);
    const startedMs = performance.now();
    server.behaviour.rcode = null;
    expect(await guard.isCutOff(now())).toBe(true);
    server.behaviour.rcode = "NOERROR";
    expect(await guard.isCutOff({ startedMs, endedMs: performance.now() })).toBe(true);
    expect(await guard.isCutOff(now())).toBe(false);
  });

  it("follows the system's name servers, and those behind systemd's stub", async () => {
    const [before, after] = [await startNameServer(), await startNameServer()];
    const [resolvConf, stubResolvConf] = ["resolv.conf", "stub.conf"].map((name) =>
      join(temporaryFolder(), name),
    ) as [string, string];
    writeFileSync(resolvConf, `nameserver ${before.address}\n`);
    const guard = createEgressGuard({ ...settings, referenceTargets: [], resolvConf, stubResolvConf });
    expect(await guard.isCutOff(now())).toBe(false);
    before.behaviour.rcode = null;
    writeFileSync(resolvConf, "nameserver 127.0.0.53\n");
    writeFileSync(stubResolvConf, `nameserver ${after.address}\n`);
    await eventually(
      () => guard.isCutOff(now()),
      (isCutOff) => !isCutOff,
    );
    expect(after.count()).toBeGreaterThan(0);
  });

  it.each(["REFUSED", null] as const)(
    "evaluates new name servers by themselves, not by what the former answered: %s",
    async (rcode) => {
      const [before, after] = [await startNameServer(), await startNameServer()];
      const resolvConf = join(temporaryFolder(), "resolv.conf");
      const markFile = join(temporaryFolder(), "answered");
      writeFileSync(resolvConf, `nameserver ${before.address}\n`);
      const options = { ...settings, referenceTargets: [], resolvConf, markFile };
      const guard = createEgressGuard(options);
      expect(await guard.isCutOff(now())).toBe(false);
      after.behaviour.rcode = rcode;
      writeFileSync(resolvConf, `nameserver ${after.address}\n`);
      await eventually(
        () => guard.isCutOff(now()),
        () => after.count() > 0,
      );
      expect(await guard.isCutOff(now())).toBe(false);
      expect(await createEgressGuard(options).isCutOff(now())).toBe(false);
    },
  );

  it("takes a machine that lost its name servers with its line for cut off", async () => {
    const server = await startNameServer();
    const resolvConf = join(temporaryFolder(), "resolv.conf");
    writeFileSync(resolvConf, `nameserver ${server.address}\n`);
    const guard = createEgressGuard({ ...settings, referenceTargets: [], resolvConf });
    expect(await guard.isCutOff(now())).toBe(false);
    vi.spyOn(dns.Resolver.prototype, "getServers").mockReturnValue([]);
    onTestFinished(() => void vi.restoreAllMocks());
    writeFileSync(resolvConf, "");
    await eventually(
      () => guard.isCutOff(now()),
      (isCutOff) => isCutOff,
    );
  });

  it("takes REFUSED for an answer where nothing else ever came, and distinguishes it from silence", async () => {
    const server = await startNameServer();
    server.behaviour.rcode = "REFUSED";
    const guard = createEgressGuard({ ...settings, referenceTargets: [], resolvers: [server.address] });
    expect(await guard.isCutOff(now())).toBe(false);
    server.behaviour.rcode = null;
    expect(await guard.isCutOff(now())).toBe(true);
  });

  it("takes REFUSED for no answer of a server that used to answer: a router whose line is down", async () => {
    const server = await startNameServer();
    const guard = createEgressGuard({ ...settings, referenceTargets: [], resolvers: [server.address] });
    expect(await guard.isCutOff(now())).toBe(false);
    server.behaviour.rcode = "REFUSED";
    expect(await guard.isCutOff(now())).toBe(true);
  });

  it("tries once more when it missed the answer by its own fault", async () => {
    const server = await startNameServer();
    let lostMs = 0;
    const guard = createEgressGuard({
      ...settings,
      referenceTargets: [],
      resolvers: [server.address],
      lostMs: () => lostMs,
    });
    expect(await guard.isCutOff(now())).toBe(false);
    server.behaviour.rcode = null;
    const queriesBefore = server.count();
    const answer = guard.isCutOff(now());
    await eventually(server.count, (count) => count === queriesBefore + 1);
    lostMs = 1_500;
    server.behaviour.rcode = "NOERROR";
    expect(await answer).toBe(false);
    expect(server.count()).toBe(queriesBefore + 2);
  });

  it("is silent when it is off", async () => {
    const guard = createEgressGuard({ ...settings, referenceTargets: ["off"] });
    expect(guard.concerns(failure("timeout", "192.0.43.8"))).toBe(false);
    expect(await guard.isCutOff(now())).toBe(false);
  });
});
