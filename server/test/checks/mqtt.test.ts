import { once } from "node:events";
import net from "node:net";
import { describe, expect, test } from "vitest";
import { checkMqtt, connectPacket } from "../../src/checks/mqtt.ts";
import { testCa } from "../harness/certificates.ts";
import { missingServers, startDaemon } from "../harness/daemons.ts";
import { startLineTarget } from "../harness/line-target.ts";
import { readable } from "../harness/reasons.ts";
import { closing, makeNetwork } from "./factories.ts";

type Config = Parameters<typeof checkMqtt.run>[0];

const run = async (config: Omit<Config, "host">, timeoutMs = 5000) =>
  readable(
    await checkMqtt.run({ host: "localhost", ...config }, { network: await makeNetwork(), timeoutMs }),
  );

async function startMosquitto(lines: readonly string[] = ["allow_anonymous true"]) {
  const { cert, key } = await (await testCa()).issue("valid", ["localhost"]);
  const { ports } = await startDaemon({
    program: "mosquitto",
    ports: 2,
    files: ({ folder, ports: [clear, secured] }) => ({
      "cert.pem": cert,
      "key.pem": key,
      "mosquitto.conf": [
        "user root",
        `listener ${clear} 127.0.0.1`,
        `listener ${secured} 127.0.0.1`,
        `certfile ${folder}/cert.pem`,
        `keyfile ${folder}/key.pem`,
        ...lines,
        "",
      ].join("\n"),
    }),
    args: ({ folder }) => ["-c", `${folder}/mosquitto.conf`],
  });
  const [clear = 0, secured = 0] = ports;
  return { clear, secured };
}

/** Leaves a retained message with a broker. */
async function publish(port: number, topic: string, message: string): Promise<void> {
  const socket = net.connect(port, "127.0.0.1");
  socket.write(connectPacket({ client: "test", user: undefined, password: undefined }));
  await once(socket, "data");
  const body = Buffer.from(`\0${String.fromCharCode(topic.length)}${topic}\0\x01${message}`);
  socket.write(Buffer.concat([Buffer.from([0x33, body.length]), body]));
  await once(socket, "data");
  socket.destroy();
}

const missing = missingServers("mosquitto");
const up = { verdict: "ok", reason: null };

describe.skipIf(missing)(`a check of a real broker (${missing ?? "Mosquitto"})`, () => {
  test("passes when it can log in, over TLS too", async () => {
    const { clear, secured } = await startMosquitto();
    expect(await run({ port: clear })).toMatchObject({ ...up, certificate: null });
    expect(await run({ port: secured, tls: true })).toMatchObject({ ...up, certificate: { valid: true } });
  });

  test("subscribes, and waits for the expected message", async () => {
    const { clear: port } = await startMosquitto();
    await publish(port, "home/heating", "online since noon");
    expect(await run({ port, topic: "home/none" })).toMatchObject(up);
    expect(await run({ port, topic: "home/+", expect: "online" })).toMatchObject(up);
    expect(await run({ port, topic: "home/heating", expect: "offline" }, 300)).toMatchObject({
      reasonCode: "timeout",
      reason: `Timed out after 0.3 s: localhost (127.0.0.1:${port}) sent "online since noon", but not the expected "offline".`,
    });
    expect((await run({ port, topic: "home/none", expect: "offline" }, 300)).reason).toBe(
      `Timed out after 0.3 s: localhost (127.0.0.1:${port}) sent no message; "offline" was expected.`,
    );
  });

  test("reports a refused login", async () => {
    const { clear: port } = await startMosquitto(["allow_anonymous false"]);
    expect((await run({ port })).reason).toBe(
      `localhost (127.0.0.1:${port}) refused the login: "not authorized".`,
    );
  });
});

const answering = async (...answers: number[][]) =>
  closing(
    await startLineTarget((socket) => {
      socket.on("data", () => socket.write(Buffer.from(answers.shift() ?? [])));
    }),
  );

test("logs in with user and password, and reports a refused subscription", async () => {
  const target = await answering([0x20, 2, 0, 0], [0x90, 3, 0, 1, 0x80]);
  const { port } = target;
  const login = { user: "watch", password: "open-sesame" };
  expect((await run({ port, ...login, topic: "secret/plans" })).reason).toBe(
    `localhost (127.0.0.1:${port}) does not let that user subscribe to secret/plans.`,
  );
  expect(target.received[0]).toContain("\0\x05watch\0\x0bopen-sesame");
});

test("receives a message that overtakes the answer to the subscription", async () => {
  const message = [0x30, 7, 0, 1, 0x74, ...Buffer.from("wake")];
  const { port } = await answering([0x20, 2, 0, 0], [...message, 0x90, 3, 0, 1, 0]);
  expect(await run({ port, topic: "t", expect: "wake" }, 1000)).toMatchObject(up);
});

test("takes no half of an answer to the subscription for one", async () => {
  const { port } = await answering([0x20, 2, 0, 0], [0x90, 2, 0, 1]);
  expect((await run({ port, topic: "t" })).reason).toContain("does not keep to the protocol");
});

test.each([
  ["another packet than was requested", [0x30, 2, 0, 0]],
  ["half an answer to the login", [0x20, 1, 0]],
  ["a length without end", [0x20, 0xff, 0xff, 0xff, 0xff, 0xff]],
])("%s ends the check", async (_title, answer) => {
  const { port } = await answering(answer);
  expect((await run({ port })).reason).toContain("does not keep to the protocol");
});

test("a length is trusted only so far", async () => {
  const { port } = await answering([0x20, 0xff, 0xff, 0xff, 0x7f]);
  expect((await run({ port })).reason).toContain("sent more than 64 KiB");
});
