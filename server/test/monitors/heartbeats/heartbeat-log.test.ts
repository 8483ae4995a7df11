import { brotliCompressSync, deflateSync, gzipSync, zstdCompressSync } from "node:zlib";
import { expect, it, test } from "vitest";
import { applyInput, newMonitor } from "../../../src/monitors/apply-input.ts";
import { PLANS } from "../../../src/platform/access/plans.ts";
import { insertMany } from "../../../src/platform/database/bulk.ts";
import { msg } from "../../../src/platform/i18n/message.ts";
import { eachEngine } from "../../harness/stores.ts";
import { serverWithHeartbeat, T0, TOKEN } from "./heartbeat-setup.ts";

type On = Awaited<ReturnType<typeof serverWithHeartbeat>>;
const HEARTBEAT = { protocol: "heartbeat", name: "Job" };

const log = async (on: On, query = "") =>
  (await on.server.api("GET", `/api/services/${on.id}/heartbeats${query}`)).body.data;
const at = (ms: number) => new Date(T0 + ms).toISOString();

eachEngine("what a job sends", (engine) => {
  it("is listed, newest first, with what came along, in both families and page by page", async () => {
    const on = await serverWithHeartbeat(engine);
    await on.say("/start?rid=7");
    on.clock.ms += 1_000;
    await on.say("/log?rid=7", "half way");
    on.clock.ms += 1_000;
    await on.say("/3?rid=7", "no space left on device\r\n");
    on.clock.ms += 1_000;
    await on.say("");
    on.clock.ms += 360_000;
    await on.look();
    const said = await log(on);
    const nothing = {
      exitCode: null,
      run: null,
      runtime: null,
      message: null,
      messageCut: false,
      reason: null,
      reasonFact: null,
    };
    expect(said).toEqual([
      {
        ...nothing,
        ...{ timestamp: at(363_000), signal: "missed" },
        reason:
          "No heartbeat since 2026-11-21 09:00:03 UTC: one is expected every 5 minutes, with 1 minute of grace.",
        reasonFact: expect.objectContaining({ code: "timeout.silent" }),
      },
      { ...nothing, timestamp: at(3_000), signal: "ok" },
      {
        ...nothing,
        ...{ timestamp: at(2_000), signal: "fail", exitCode: 3, run: "7", runtime: 2_000 },
        ...{ message: "no space left on device", reason: "The job ended with exit code 3." },
        reasonFact: { code: "job.exit", params: { exit: 3 } },
      },
      { ...nothing, timestamp: at(1_000), signal: "log", run: "7", message: "half way" },
      { ...nothing, timestamp: at(0), signal: "start", run: "7" },
    ]);
    const first = await log(on, "?limit=2");
    expect([...first, ...(await log(on, `?before=${first.at(-1).timestamp}`))]).toEqual(said);
    const v2 = await on.server.api("GET", `/v2/services/${on.uuid}/heartbeats?limit=3`);
    expect(v2.body.data[2]).toMatchObject({
      exit_code: 3,
      message_cut: false,
      message: "no space left on device",
    });
  });

  it("is stored as text, and no more than 10 kB of it, whatever bytes came", async () => {
    const on = await serverWithHeartbeat(engine);
    const sent: [BodyOf, string | null, boolean][] = [
      [
        "\x1b[31mred\x1b[0m\u0000\u0007 and \u202eback\r\nnext\tline\n",
        "red\ufffd\ufffd and back\nnext\tline",
        false,
      ],
      [new Uint8Array([0xff, 0xfe, 0x41]), "\ufffd\ufffdA", false],
      ["\n \t\n", null, false],
      ["ü".repeat(5_000), "ü".repeat(5_000), false],
      [`a${"ü".repeat(5_000)}`, `a${"ü".repeat(4_999)}`, true],
      ["x".repeat(600_000), "x".repeat(10_000), true],
      ["'; drop table monitors; --", "'; drop table monitors; --", false],
    ];
    for (const [body] of sent) {
      on.clock.ms += 1_000;
      expect((await on.say("/log", body)).status).toBe(200);
    }
    const stored = (await log(on)).map(({ message, messageCut }: Record<string, unknown>) => [
      message,
      messageCut,
    ]);
    expect(stored.toReversed()).toEqual(sent.map(([, message, isCut]) => [message, isCut]));
  });

  it("counts and is answered at once when it comes compressed, though that is broken, and its text is unpacked", async () => {
    const on = await serverWithHeartbeat(engine);
    const long = "a line of a long log\n".repeat(40_000);
    const sent: [Buffer, string, string | null, boolean][] = [
      [gzipSync("12 files"), "gzip", "12 files", false],
      [brotliCompressSync("12 files"), "br", "12 files", false],
      [zstdCompressSync("12 files"), "zstd", "12 files", false],
      [deflateSync(long), "deflate", long.slice(0, 10_000).trimEnd(), true],
      [gzipSync("12 files").subarray(0, -4), "gzip", "12 files", false],
      [Buffer.alloc(200_000, "no gzip at all"), "gzip", null, false],
      [Buffer.from("plain"), "compress", null, false],
    ];
    for (const [body, coding] of sent) {
      on.clock.ms += 1_000;
      const path = `${on.server.url}${on.address}/${TOKEN}`;
      const { status } = await fetch(path, {
        method: "POST",
        body: body as NonNullable<RequestInit["body"]>,
        headers: { "content-encoding": coding },
      });
      expect([coding, status]).toEqual([coding, 200]);
    }
    const stored = (await log(on)).map(({ message, messageCut }: Record<string, unknown>) => [
      message,
      messageCut,
    ]);
    expect(stored.toReversed()).toEqual(sent.map(([, , message, isCut]) => [message, isCut]));
    expect(await on.results()).toHaveLength(sent.length);
  });

  it("is not stored in the clear, and shown only to those who may change the service", async () => {
    const on = await serverWithHeartbeat(engine);
    await on.say("/log", "password=hunter2");
    const rows = await on.ctx.store.db.selectFrom("heartbeat_signals").selectAll().execute();
    expect(JSON.stringify(rows)).not.toContain("hunter2");
    const reads = await on.server.createKey({ scopes: ["read:services"] });
    const seen = await on.server.api("GET", `/api/services/${on.id}/heartbeats`, undefined, { key: reads });
    expect(seen.body.data).toMatchObject([{ signal: "log", message: null }]);
    expect((await log(on))[0].message).toBe("password=hunter2");
  });

  it("loses nothing where pages end in the middle of a moment", async () => {
    const on = await serverWithHeartbeat(engine);
    const row = { monitor_id: on.id, signal: "log" as const, cut: 0 as const };
    const moments = [0, 0, 0, 1, 2, 2, 2, 2, 3];
    const rows = moments.map((after, at) => ({ ...row, run: `${at}`, signalled_at: T0 - 2_000 + after }));
    await insertMany(on.ctx.store.db, "heartbeat_signals", rows);
    await on.say("");
    const all = await log(on);
    expect(all).toHaveLength(rows.length + 1);
    for (const limit of [1, 2, 3, 5]) {
      const read: typeof all = [];
      for (let before = ""; ; before = `&before=${read.at(-1).timestamp}`) {
        const page = await log(on, `?limit=${limit}${before}`);
        if (page.length === 0) break;
        read.push(...page);
      }
      expect([limit, read]).toEqual([limit, all]);
    }
  });

  it("is stored no further back than the newest thousand", async () => {
    const on = await serverWithHeartbeat(engine);
    const row = { monitor_id: on.id, signal: "log" as const, run: "", cut: 0 as const };
    const before = Array.from({ length: 1_005 }, (_, i) => ({ ...row, signalled_at: T0 - 2_000 + i }));
    await insertMany(on.ctx.store.db, "heartbeat_signals", before);
    await on.say("/log");
    const [stored] = await on.ctx.store.db
      .selectFrom("heartbeat_signals")
      .select((select) => select.fn.countAll<number>().as("count"))
      .execute();
    expect(Number(stored?.count)).toBe(1_000);
  });

  it("is stored although a clock that was ahead has dated a thousand signals", async () => {
    const on = await serverWithHeartbeat(engine);
    const row = { monitor_id: on.id, signal: "log" as const, run: "ahead", cut: 0 as const };
    const ahead = T0 + 300 * 86_400_000;
    const before = Array.from({ length: 1_000 }, (_, i) => ({ ...row, signalled_at: ahead + i }));
    await insertMany(on.ctx.store.db, "heartbeat_signals", before);
    await on.say("/log", "now");
    const rows = await on.ctx.store.db
      .selectFrom("heartbeat_signals")
      .select("run")
      .where("signalled_at", "<", ahead)
      .execute();
    expect(rows).toEqual([{ run: "" }]);
  });

  it("is in its service, with what is expected next", async () => {
    const on = await serverWithHeartbeat(engine, { cron: "30 9 * * *" });
    const heartbeat = async () => (await on.server.api("GET", `/api/services/${on.id}`)).body.data.heartbeat;
    expect(await heartbeat()).toEqual({ lastAt: null, expectedAt: null, runs: [] });
    await on.say("");
    on.clock.ms += 1_000;
    await on.say("/start?rid=a");
    expect(await heartbeat()).toEqual({
      lastAt: at(0),
      expectedAt: at(1_800_000),
      runs: [{ run: "a", startedAt: at(1_000), lateAt: at(61_000) }],
    });
    const v2 = await on.server.api("GET", `/v2/services/${on.uuid}`);
    expect(v2.body.data.heartbeat.runs[0].started_at).toBe(at(1_000));
  });

  it("is refused where it names its run in a way that cannot be stored", async () => {
    const on = await serverWithHeartbeat(engine);
    const refused = await on.say(`?rid=${encodeURIComponent("a b")}`);
    expect([refused.status, Object.keys(((await refused.json()) as { errors: object }).errors)]).toEqual([
      422,
      ["rid"],
    ]);
    expect(await on.results()).toEqual([]);
  });
});

type BodyOf = NonNullable<RequestInit["body"]>;

eachEngine("the schedule of a heartbeat", (engine) => {
  test.each([
    [
      { cron: "every day" },
      {
        "protocolConfig.cron": [
          "The schedule must be a cron expression of five fields (minute, hour, day, month, day of the week), such as 0 3 * * *.",
        ],
      },
    ],
    [
      { cron: "0 0 31 2 *" },
      { "protocolConfig.cron": ["This cron expression never fires: no such day exists."] },
    ],
    [
      { cron: "0 3 * * *", timeZone: "Europe/Atlantis" },
      {
        "protocolConfig.timeZone": [
          "The time zone must be a name of the IANA database, such as Europe/Berlin.",
        ],
      },
    ],
    [
      { maxRuntime: 0 },
      { "protocolConfig.maxRuntime": ["The protocolConfig.maxRuntime field must be at least 1."] },
    ],
  ])("%j is refused by the field", async (protocolConfig, errors) => {
    const on = await serverWithHeartbeat(engine);
    const answer = await on.server.api("POST", "/api/services", { ...HEARTBEAT, protocolConfig });
    expect([answer.status, answer.body.errors]).toEqual([422, errors]);
  });

  it("says how often it is checked, whatever is sent, and can be taken back", async () => {
    const on = await serverWithHeartbeat(engine);
    const body = {
      ...HEARTBEAT,
      checkInterval: 60,
      protocolConfig: { cron: "0 3 * * *", timeZone: "Europe/Berlin" },
    };
    const made = await on.server.api("POST", "/api/services", body);
    expect([made.status, made.body.data.checkInterval]).toEqual([201, 86_400]);
    const path = `/api/services/${made.body.data.id}`;
    const weekly = await on.server.api("PUT", path, { protocolConfig: { cron: "@weekly" } });
    expect([weekly.status, weekly.body.data.checkInterval]).toEqual([200, 86_400]);
    const again = await on.server.api("PUT", path, { protocolConfig: {}, checkInterval: 600 });
    expect([again.status, again.body.data.checkInterval]).toEqual([200, 600]);
    expect(again.body.data.protocolConfig.token).toBe(made.body.data.protocolConfig.token);
    expect(made.body.data.protocolConfig.token).not.toBe(TOKEN);
  });
});

test("the schedule of a heartbeat is not more often than the plan allows", () => {
  const context = { kind: "service", plan: PLANS.free, locations: [], targets: "all" } as const;
  const input = { name: "Job", config: { cron: "*/2 * * * *" } };
  const { problems } = applyInput(newMonitor(PLANS.free, "service", "heartbeat"), input, context);
  expect(problems).toEqual({
    "protocolConfig.cron": [msg("interval.cron", { plan: "free", limit: 300, interval: 120 })],
  });
});
