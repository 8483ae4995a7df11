import dgram from "node:dgram";
import net from "node:net";
import { join } from "node:path";
import dnsPacket from "dns-packet";
import { describe, expect, it, onTestFinished } from "vitest";
import { createEgressGuard } from "../../src/probe/egress.ts";
import { eventually } from "../harness/eventually.ts";
import { anOutcome, temporaryFolder } from "./factories.ts";

/** A TCP listener that can be made deaf: connections are accepted by nobody and time out. */
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
  const behaviour: { rcode: "NOERROR" | "SERVFAIL" | null } = { rcode: "NOERROR" };
  let queries = 0;
  const socket = dgram.createSocket("udp4");
  socket.on("message", (message, peer) => {
    queries += 1;
    if (behaviour.rcode === null) return;
    const { id, questions } = dnsPacket.decode(message);
    const flags = dnsPacket.RECURSION_AVAILABLE | (behaviour.rcode === "SERVFAIL" ? 2 : 0);
    const answers: dnsPacket.Answer[] =
      behaviour.rcode === "NOERROR" ? [{ type: "NS", name: ".", data: "ns.root.test", ttl: 60 }] : [];
    socket.send(
      dnsPacket.encode({ id, type: "response", flags, questions, answers }),
      peer.port,
      peer.address,
    );
  });
  await new Promise<void>((resolve) => socket.bind(0, "127.0.0.1", resolve));
  onTestFinished(() => void socket.close());
  return { address: `127.0.0.1:${socket.address().port}`, behaviour, count: () => queries };
}

const settings = { resolvers: [], timeoutMs: 200, sharedMs: 0 };
const failure = (
  reasonCode: "dns" | "refused" | "timeout" | "unreachable" | "status",
  address: string | null,
) => anOutcome({ verdict: "failed", reasonCode, address });

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
  ])("is asked, or not, about %s", async (_name, outcome, expected) => {
    const { target } = await startReference();
    expect(createEgressGuard({ ...settings, referenceTargets: [target] }).concerns(outcome)).toBe(expected);
  });

  it("takes a refused connection for an answer: the line works", async () => {
    const reference = await startReference();
    const guard = createEgressGuard({ ...settings, referenceTargets: [reference.target] });
    expect(await guard.isCutOff()).toBe(false);
    await new Promise((resolve) => reference.server.close(resolve));
    expect(await guard.isCutOff()).toBe(false);
  });

  it("takes silence of every name server for being cut off, and one answer for being connected", async () => {
    const [first, second] = [await startNameServer(), await startNameServer()];
    const guard = createEgressGuard({
      ...settings,
      referenceTargets: [],
      resolvers: [first.address, second.address],
    });
    expect(await guard.isCutOff()).toBe(false);
    first.behaviour.rcode = null;
    expect(await guard.isCutOff()).toBe(false);
    second.behaviour.rcode = null;
    expect(await guard.isCutOff()).toBe(true);
    second.behaviour.rcode = "NOERROR";
    expect(await guard.isCutOff()).toBe(false);
  });

  it("takes SERVFAIL for no answer: a forwarder that is cut off itself says that", async () => {
    const server = await startNameServer();
    const guard = createEgressGuard({ ...settings, referenceTargets: [], resolvers: [server.address] });
    expect(await guard.isCutOff()).toBe(false);
    server.behaviour.rcode = "SERVFAIL";
    expect(await guard.isCutOff()).toBe(true);
  });

  it("does not blind an isolated installation whose references never answered", async () => {
    const server = await startNameServer();
    server.behaviour.rcode = null;
    const guard = createEgressGuard({ ...settings, referenceTargets: [], resolvers: [server.address] });
    expect(await guard.isCutOff()).toBe(false);
    expect(await guard.isCutOff()).toBe(false);
  });

  it("is not taken in by a machine that starts before its network: it remembers having had a line", async () => {
    const server = await startNameServer();
    const markFile = join(temporaryFolder(), "answered");
    const options = { ...settings, referenceTargets: [], resolvers: [server.address], markFile };
    expect(await createEgressGuard(options).isCutOff()).toBe(false);
    server.behaviour.rcode = null;
    const restarted = createEgressGuard(options);
    expect(await restarted.isCutOff()).toBe(true);
    server.behaviour.rcode = "NOERROR";
    expect(await restarted.isCutOff()).toBe(false);
    server.behaviour.rcode = null;
    expect(await createEgressGuard({ ...options, recallMs: 0 }).isCutOff()).toBe(false);
  });

  it("shares one test among all failures of the next moments", async () => {
    const reference = await startReference();
    const guard = createEgressGuard({ ...settings, sharedMs: 60_000, referenceTargets: [reference.target] });
    await Promise.all(Array.from({ length: 50 }, () => guard.isCutOff()));
    await eventually(reference.count, (count) => count === 1);
  });

  it("is silent when it is off", async () => {
    const guard = createEgressGuard({ ...settings, referenceTargets: ["off"] });
    expect(guard.concerns(failure("timeout", "192.0.43.8"))).toBe(false);
    expect(await guard.isCutOff()).toBe(false);
  });
});
