import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { eventually } from "../../harness/eventually.ts";
import { type ServerProcess, startServerProcess, temporaryFolder } from "../../harness/process.ts";
import { converse, rawRequest, sendRaw } from "./raw-client.ts";

const LINE = "A connection was closed after an unexpected exception";
const FAULTS = { NODE_OPTIONS: `--import ${new URL("./faults.mjs", import.meta.url).href}` };

describe("an exception that nothing was ready to catch", () => {
  const { folder, remove } = temporaryFolder();
  let server: ServerProcess;
  beforeAll(async () => {
    server = await startServerProcess(folder, { ...FAULTS, VEDETTE_METRICS: "loopback" });
  });
  afterAll(remove);

  const lines = () => server.output.stderr.split("\n").filter((line) => line.includes(LINE)).length;
  const counted = async () => {
    const text = await (await fetch(`${server.url}/metrics`)).text();
    return Number(/^vedette_connection_faults_total (\d+)$/m.exec(text)?.[1]);
  };

  test.each(["timer", "promise", "body", "answer", "socket"])(
    "in an event of a connection (%s) ends that connection alone, and is counted and logged",
    async (fault) => {
      const before = [lines(), await counted()] as const;
      const other = converse(server.url, (socket) => {
        socket.write("POST /api/auth/sign-in HTTP/1.1\r\nHost: a\r\nConnection: close\r\n");
        void sendRaw(
          server.url,
          `${rawRequest(`POST /fault/${fault}`, "Content-Length: 2", "Connection: close")}ab`,
        ).then(async () => {
          await eventually(lines, (now) => now > before[0]);
          socket.write("Content-Length: 2\r\nContent-Type: application/json\r\n\r\n{}");
        });
      });
      expect(await other).toMatchObject({ status: 422, error: null });
      // Metrics are as they were a second ago at most.
      await eventually(counted, (now) => now > before[1]);
      expect([lines(), await counted()]).toEqual([before[0] + 1, before[1] + 1]);
    },
  );

  test("and that no connection led to ends the process, which says why", async () => {
    // After all the others: none of their connections is taken for its cause.
    process.kill(server.pid, "SIGUSR2");
    await eventually(
      () => server.output.stderr,
      (text) => text.includes("an unexpected exception ended the server: Error: a fault on purpose"),
    );
    expect(await server.stop("SIGCONT")).toBe(1);
  });
});
