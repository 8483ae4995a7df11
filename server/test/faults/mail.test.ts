import { expect, it, onTestFinished } from "vitest";
import { LEASE_MS } from "../../src/alerts/retry-rules.ts";
import { eventually } from "../harness/eventually.ts";
import { type MailServer, startMailServer } from "../harness/smtp.ts";
import { createTestDatabase, type EngineName, eachEngine } from "../harness/stores.ts";
import { type House, openHouse } from "./house.ts";

const PEOPLE = 10;
/** What was being tried at the kill counts as lost when its lease is over; the rest is for a busy machine. */
const TIMEOUT_MS = LEASE_MS + 60_000;

async function openMailing(engine: EngineName): Promise<{ house: House; mail: MailServer; path: string }> {
  const database = await createTestDatabase(engine);
  onTestFinished(() => database.remove());
  const mail = await startMailServer();
  onTestFinished(() => mail.stop());
  const environment = { SMTP_URL: mail.url, VEDETTE_PUBLIC_URL: "https://vedette.test" };
  const { location } = database;
  const house = await openHouse({ environment, ...("url" in location && { databaseUrl: location.url }) });
  const { organization } = await house.get("/api/auth/me");
  return { house, mail, path: `/api/organizations/${organization.id}/invitations` };
}

const invite = async ({ house, path }: { house: House; path: string }, email: string): Promise<void> => {
  const { status, body } = await house.request(path, { method: "POST", body: { email, role: "viewer" } });
  expect([status, body.data.sent]).toEqual([201, true]);
};

const unsent = (house: House) =>
  house.look(({ db }) => db.selectFrom("outbox").select("recipient").where("state", "!=", "sent").execute());

eachEngine("mail", (engine) => {
  it(
    "that was promised before a kill -9 arrives after it, once, though the mail server was away",
    async () => {
      const mailing = await openMailing(engine);
      const { house, mail } = mailing;
      await mail.stop();
      const people = Array.from({ length: PEOPLE }, (_, at) => `person${at}@vedette.test`);
      await Promise.all(people.map((email) => invite(mailing, email)));
      await house.kill();
      await mail.start();
      await house.start();
      await eventually(
        () => unsent(house),
        ({ length }) => length === 0,
        TIMEOUT_MS,
        200,
      );
      // Whatever would be sent twice would be sent before what comes after another kill.
      await house.kill();
      await house.start();
      await invite(mailing, "last@vedette.test");
      await eventually(
        () => unsent(house),
        ({ length }) => length === 0,
        TIMEOUT_MS,
        200,
      );
      const link = /https:\/\/vedette\.test\/invitation#[\w-]{20,}/;
      const received = mail.mails.map(({ to, text }) => [to[0], link.test(text)]);
      const promised = [...people, "last@vedette.test"].map((email) => [email, true]);
      expect(received.toSorted()).toEqual(promised.toSorted());
    },
    3 * TIMEOUT_MS,
  );

  it("under way when the server is stopped is sent by the next start, without waiting", async () => {
    const mailing = await openMailing(engine);
    const { house, mail } = mailing;
    const { promise: mailReceived, resolve } = Promise.withResolvers<void>();
    mail.hold(() => resolve());
    await invite(mailing, "guest@vedette.test");
    await mailReceived;
    expect(await house.server.stop()).toBe(0);
    mail.hold(null);
    await house.start();
    await eventually(
      () => mail.mails,
      ({ length }) => length > 0,
      10_000,
    );
    await eventually(
      () => unsent(house),
      ({ length }) => length === 0,
    );
    expect(mail.mails).toHaveLength(1);
    expect(house.loggedProblems()).toEqual([]);
  }, 240_000);
});
