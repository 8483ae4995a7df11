import { expect, test } from "vitest";
import { deliverOutbox } from "../../../src/alerts/deliver.ts";
import { sendMail } from "../../../src/alerts/mail/send-mail.ts";
import { TRANSPORTS } from "../../../src/app/jobs.ts";
import { readerOf } from "../../../src/platform/i18n/reader.ts";
import { eventually } from "../../harness/eventually.ts";
import { eachEngine } from "../../harness/stores.ts";
import { linkIn, startMailing } from "../mailing.ts";

const HOUR_MS = 3_600_000;

eachEngine("the outbox", (engine) => {
  async function start() {
    const mailing = await startMailing(engine);
    const { ctx } = mailing.server;
    const link = "https://vedette.test/reset-password#secret-token";
    const write = (db = ctx.store.db, to = "ada@vedette.test") => {
      const mail = { kind: "reset", reader: readerOf(undefined), params: {}, link } as const;
      return sendMail({ ...ctx, db }, { to, mail, worthMs: HOUR_MS });
    };
    return { ...mailing, ctx, write };
  }

  test("sends what was committed, once, and nothing else", async () => {
    const { ctx, mail, write, deliver, outbox } = await start();
    const undone = ctx.store.transaction(async (trx) => {
      await write(trx);
      throw new Error("undone");
    });
    await expect(undone).rejects.toThrow("undone");
    await ctx.store.transaction((trx) => write(trx));
    await Promise.all([deliver(), deliver(), deliver()]);
    await deliver();
    expect(mail.mails.map(({ to }) => to)).toEqual([["ada@vedette.test"]]);
    expect(await outbox()).toEqual([{ state: "sent", attempts: 1, failure: null, content: "" }]);
  });

  test("holds no secret in the clear, neither while it waits nor after", async () => {
    const { write, mail, deliver, outbox } = await start();
    await write();
    expect(JSON.stringify(await outbox())).not.toContain("secret-token");
    await deliver();
    expect(linkIn(mail.mails[0]?.text ?? "").hash).toBe("#secret-token");
    expect((await outbox())[0]?.content).toBe("");
  });

  test("waits for a mail server that is away, longer each time, and sends once it is back", async () => {
    const { write, mail, deliver, outbox, pass } = await start();
    await mail.stop();
    await write();
    await deliver();
    await deliver();
    const [first] = await outbox();
    expect(first).toMatchObject({ state: "waiting", attempts: 1 });
    expect(JSON.parse(first?.failure ?? "")).toMatchObject({ code: "mail.unreachable" });
    pass(5_000);
    await deliver();
    expect((await outbox())[0]).toMatchObject({ state: "waiting", attempts: 2 });
    await mail.start();
    pass(10_000);
    await deliver();
    expect(mail.mails).toHaveLength(0);
    pass(20_000);
    await deliver();
    await deliver();
    expect(mail.mails).toHaveLength(1);
    expect(await outbox()).toMatchObject([{ state: "sent", attempts: 3 }]);
  });

  test("gives up once it is no longer worth sending, and keeps why", async () => {
    const { server, write, mail, deliver, outbox, pass } = await start();
    await mail.stop();
    await write();
    for (let attempt = 0; attempt < 20; attempt += 1) {
      await deliver();
      pass(HOUR_MS / 10);
    }
    const [row] = await outbox();
    expect(row).toMatchObject({ state: "failed", content: "" });
    expect(JSON.parse(row?.failure ?? "").code).toBe("mail.unreachable");
    expect(server.problems.map(({ message }) => message)).toEqual(["A message was given up"]);
    await mail.start();
    pass(24 * HOUR_MS);
    await deliver();
    expect(mail.mails).toEqual([]);
  });

  test("says at once that it gives up where no further attempt would come in time", async () => {
    const { write, mail, deliver, outbox, pass } = await start();
    await mail.stop();
    await write();
    pass(HOUR_MS - 3_000);
    await deliver();
    const [row] = await outbox();
    expect([row?.state, row?.attempts]).toEqual(["failed", 1]);
    expect(JSON.parse(row?.failure ?? "").code).toBe("mail.unreachable");
  });

  test("does not begin with what has waited too long", async () => {
    const { write, mail, deliver, outbox, pass } = await start();
    await write();
    pass(HOUR_MS);
    await deliver();
    expect(mail.mails).toEqual([]);
    expect(JSON.parse((await outbox())[0]?.failure ?? "").code).toBe("delivery.late");
  });

  test("does not repeat what the mail server refuses for good", async () => {
    const { write, mail, deliver, outbox, pass } = await start();
    mail.refuse({ code: 550, text: "5.1.1 No mailbox of that name" });
    await write();
    await deliver();
    pass(HOUR_MS / 2);
    await deliver();
    const rows = await outbox();
    expect(rows).toMatchObject([{ state: "failed", attempts: 1, content: "" }]);
    const failure = JSON.parse(rows[0]?.failure ?? "");
    expect(failure).toMatchObject({ code: "mail.refused" });
    expect(failure.params.said).toContain("550 5.1.1 No mailbox of that name");
  });

  test("tries again what it refuses for now", async () => {
    const { write, mail, deliver, outbox, pass } = await start();
    mail.refuse({ code: 451, text: "4.7.1 Come back later" });
    await write();
    await deliver();
    expect(await outbox()).toMatchObject([{ state: "waiting", attempts: 1 }]);
    mail.refuse(null);
    pass(60_000);
    await deliver();
    expect(mail.mails).toHaveLength(1);
  });

  test("goes on with what another replica began and never ended", async () => {
    const { ctx, write, mail, deliver, pass } = await start();
    await write();
    const lost = { state: "waiting", attempts: 1, next_try_at: ctx.clock.now() + 120_000 } as const;
    await ctx.store.db.updateTable("outbox").set(lost).execute();
    await deliver();
    expect(mail.mails).toEqual([]);
    pass(120_000);
    await deliver();
    expect(mail.mails).toHaveLength(1);
  });

  test("leaves the word to the later attempt when one that counted as lost comes to an end", async () => {
    const { write, mail, deliver, outbox, pass } = await start();
    const ending = new AbortController();
    const { promise: received, resolve } = Promise.withResolvers<void>();
    mail.hold(() => resolve());
    await write();
    const lost = deliver(ending.signal);
    await received;
    pass(120_000);
    mail.hold(null);
    mail.refuse({ code: 451, text: "4.7.1 Come back later" });
    await deliver();
    ending.abort();
    await lost;
    const [row] = await outbox();
    expect([row?.state, row?.attempts]).toEqual(["waiting", 2]);
    expect(JSON.parse(row?.failure ?? "null")).toMatchObject({ code: "mail.deferred" });
  });

  test("sends to each of many, and a refusal of one keeps no other one waiting", async () => {
    const { write, mail, deliver, outbox } = await start();
    const people = Array.from({ length: 30 }, (_, at) => `person${at}@vedette.test`);
    for (const to of people) await write(undefined, to);
    await write(undefined, '"ada@vedette.test,eve"@vedette.test');
    await deliver();
    expect(mail.mails.flatMap(({ to }) => to).toSorted()).toEqual(people.toSorted());
    expect((await outbox()).at(-1)).toMatchObject({ state: "failed", attempts: 1 });
  });

  test("goes on when all that was under way has ended while it looked for more", async () => {
    const { ctx, write, mail, deliver } = await start();
    // What setting up has left for the alerts: else the second transaction would not be the one meant below.
    await deliver();
    const people = Array.from({ length: 6 }, (_, at) => `person${at}@vedette.test`);
    for (const to of people) await write(undefined, to);
    const held: (() => void)[] = [];
    mail.hold((answer) => void held.push(answer));
    const looking = Promise.withResolvers<void>();
    const released = Promise.withResolvers<void>();
    let transactions = 0;
    // Nothing has ended yet, so the second transaction looks for more.
    const transaction: typeof ctx.store.transaction = async (work) => {
      transactions += 1;
      if (transactions === 2) {
        looking.resolve();
        await released.promise;
      }
      return ctx.store.transaction(work);
    };
    const delivered = deliverOutbox(
      { ...ctx, store: { ...ctx.store, transaction } },
      TRANSPORTS,
      new AbortController().signal,
    );
    await looking.promise;
    await eventually(
      () => held.length,
      (count) => count === 4,
    );
    mail.hold(null);
    for (const answer of held) answer();
    const sent = () => ctx.store.db.selectFrom("outbox").select("id").where("state", "=", "sent").execute();
    await eventually(sent, (rows) => rows.length === 4);
    released.resolve();
    await delivered;
    expect(mail.mails.flatMap(({ to }) => to).toSorted()).toEqual(people);
  });

  test("lets go of what it is at when the server stops, for the next start to send", async () => {
    const { write, mail, deliver, outbox } = await start();
    const stopping = new AbortController();
    mail.hold(() => stopping.abort());
    await write();
    await deliver(stopping.signal);
    expect(await outbox()).toMatchObject([{ state: "waiting", failure: null }]);
    mail.hold(null);
    await deliver();
    expect(mail.mails).toHaveLength(1);
  });
});
