import { describe, expect, test } from "vitest";
import { checkGrpc } from "../../src/checks/grpc.ts";
import { readable } from "../harness/reasons.ts";
import { closing, makeNetwork, startHttpTarget } from "./factories.ts";
import { type GrpcAnswer, startGrpcTarget } from "./grpc-target.ts";

type Config = Parameters<typeof checkGrpc.run>[0];

const run = async (config: Omit<Config, "host">) =>
  readable(
    await checkGrpc.run(
      { host: "localhost", tls: false, ...config },
      { network: await makeNetwork(), timeoutMs: 5000 },
    ),
  );

const answering = async (answer: GrpcAnswer) => closing(await startGrpcTarget({ answer }));
const health = (status: number) => Buffer.from([0, 0, 0, 0, 2, 0x08, status]);
const up = { verdict: "ok", reason: null, address: "127.0.0.1", protocol: "h2" };

describe("a check of a gRPC server's health", () => {
  test("passes when it is serving, over TLS or without", async () => {
    const clear = await answering({});
    expect(await run({ port: clear.port })).toMatchObject({ ...up, certificate: null });
    const secured = closing(await startGrpcTarget({ certificate: "valid" }));
    expect(await run({ port: secured.port, tls: true })).toMatchObject({
      ...up,
      certificate: { valid: true },
    });
    const expired = closing(await startGrpcTarget({ certificate: "expired" }));
    expect(await run({ port: expired.port, tls: true })).toMatchObject({ reasonCode: "certificate" });
  });

  test("checks a service", async () => {
    const { port, requests } = await answering({});
    await run({ port, service: "shop" });
    await run({ port, service: "x".repeat(200) });
    await run({ port });
    const path = "/grpc.health.v1.Health/Check";
    expect(requests).toEqual([
      { path, body: Buffer.from([0, 0, 0, 0, 6, 0x0a, 4, ...Buffer.from("shop")]) },
      { path, body: Buffer.from([0, 0, 0, 0, 203, 0x0a, 200, 1, ...Buffer.alloc(200, "x")]) },
      { path, body: Buffer.from([0, 0, 0, 0, 0]) },
    ]);
  });

  test.each([
    [{ body: health(2) }, "says that it is NOT_SERVING, not SERVING."],
    [{ body: health(3) }, "says that it is SERVICE_UNKNOWN, not SERVING."],
    [{ body: Buffer.alloc(5) }, "says that it is UNKNOWN, not SERVING."],
    [
      { body: null, trailers: { "grpc-status": "12" } },
      "does not offer the health service (grpc.health.v1).",
    ],
    [
      { body: null, trailers: { "grpc-status": "5", "grpc-message": "no%20such%20service" } },
      'answered with an error: "NOT_FOUND no such service".',
    ],
    [{ body: null, trailers: { "grpc-status": "99" } }, 'answered with an error: "99".'],
    [{ body: null, headers: { ":status": 503 } }, "answered HTTP 503, which is not a gRPC answer."],
    [{ body: health(1), trailers: {} }, "does not keep to the protocol."],
    [{ body: Buffer.from([0, 0, 0, 0, 9, 8, 1]) }, "does not keep to the protocol."],
    [{ body: Buffer.from([1, 0, 0, 0, 2, 8, 1]) }, "does not keep to the protocol."],
    [{ body: Buffer.alloc(100_000) }, "sent more than 64 KiB."],
  ] satisfies [GrpcAnswer, string][])("%j: fails", async (answer, reason) => {
    const { port } = await answering(answer);
    expect((await run({ port })).reason).toBe(`localhost (127.0.0.1:${port}) ${reason}`);
  });

  test("knows what speaks no HTTP/2", async () => {
    const { port } = await startHttpTarget();
    expect(await run({ port })).toMatchObject({ verdict: "failed", reasonCode: "protocol" });
  });
});
