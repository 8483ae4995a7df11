import { expect, it, onTestFinished } from "vitest";
import { deliverOutbox } from "../../../src/alerts/deliver.ts";
import { confirmUserEmail } from "../../../src/alerts/queries/own-channels.ts";
import { TRANSPORTS } from "../../../src/app/jobs.ts";
import { insertMany } from "../../../src/platform/database/bulk.ts";
import { formatMessage } from "../../../src/platform/i18n/format-message.ts";
import type { MessageDescriptor } from "../../../src/platform/i18n/message.ts";
import { startMailServer } from "../../harness/smtp.ts";
import { type EngineName, eachEngine } from "../../harness/stores.ts";
import { componentRow, makePage, publicOf } from "../../status-pages/factories.ts";
import { metrics, SECOND, serverWithDevices } from "./device-setup.ts";

const MINUTE = 60 * SECOND;

/** A device that is shown on a status page, whose owner gets mail, and what each place says of it at this moment. */
async function start(engine: EngineName) {
  const mail = await startMailServer();
  onTestFinished(() => mail.stop());
  const config = { smtp: mail.smtp, publicUrl: "https://vedette.test" };
  const { addDevice, api, clock, look, ctx, server } = await serverWithDevices(engine, { config });
  const { organization, userId } = server.person;
  await confirmUserEmail(ctx.store.db, userId, clock.ms);
  const { id, agent } = await addDevice({ name: "app-1" });
  const page = await makePage(server);
  const component = componentRow(page, organization.id, id, { display_name: "Server" });
  await insertMany(ctx.store.db, "status_page_components", [component]);
  const report = async (values: Record<string, number>, minutes: number) => {
    for (let left = minutes * 6; left > 0; left -= 1) {
      clock.ms += 10 * SECOND;
      expect((await agent.report({ metrics: metrics(values) })).status).toBe(200);
    }
  };
  const silence = async (minutes: number) => {
    clock.ms += minutes * MINUTE;
    await look();
  };
  /** Sends what waits, and says what came since the last time. */
  const mails = async () => {
    const before = mail.mails.length;
    clock.ms += 10 * SECOND;
    await deliverOutbox(ctx, TRANSPORTS, new AbortController().signal);
    return mail.mails.slice(before).map(({ headers, text }) => ({ subject: headers["subject"], text }));
  };
  const inGerman = (known: MessageDescriptor | null) => known && formatMessage("de", known);
  /** `app`: what the app says in its reader's language, of the device and its incident. */
  const said = async () => {
    const device = (await api("GET", `/api/devices/${id}`)).body.data;
    const [{ id: incidentId }] = (await api("GET", "/api/incidents")).body.data;
    const incident = (await api("GET", `/api/incidents/${incidentId}`)).body.data;
    const log = (await api("GET", `/api/incidents/${incidentId}/updates`)).body.data;
    const live = await ctx.store.db
      .selectFrom("events")
      .select("payload")
      .where("type", "=", "incident")
      .orderBy("id", "desc")
      .executeTakeFirstOrThrow();
    const shown = await publicOf(server, page.slug);
    const [onPage] = [...shown.incidents, ...shown.history];
    expect(JSON.parse(live.payload).title).toBe(incident.title);
    return {
      device: [device.status, device.healthStatus, device.lastReason],
      incident: [incident.title, incident.reason],
      description: incident.description as string,
      log: log.at(-1).message as string,
      app: [inGerman(device.lastReasonFact), inGerman(incident.titleFact), inGerman(incident.reasonFact)],
      page: onPage ? [onPage.title, onPage.status, shown.groups[0].components[0].status] : null,
    };
  };
  const logLength = async () => {
    const [{ id: incidentId }] = (await api("GET", "/api/incidents")).body.data;
    return (await api("GET", `/api/incidents/${incidentId}/updates`)).body.data.length as number;
  };
  return { id, api, clock, report, silence, mails, said, logLength };
}

const DISK = "The disk / is 97 % full; 95 % is critical.";
const MEMORY = "100 % of the memory is in use; 95 % is critical.";
const CPU = "The processor has been 99 % busy for five minutes; 95 % is critical.";
const VAR = "The disk /var is 88 % full; 85 % is a warning.";

eachEngine("at one moment", (engine) => {
  it("page, API, mail and app name everything that is wrong with a device, the most severe first", async () => {
    const { report, silence, mails, said, clock } = await start(engine);
    await report({ "disk./.usage": 97, "memory.usage": 99.5, "disk./var.usage": 88, "cpu.usage": 99 }, 2);
    const all = `${DISK} ${MEMORY} ${VAR}`;
    const inGerman = [
      "Die Platte / ist zu 97 % voll; ab 95 % ist das kritisch.",
      "100 % des Arbeitsspeichers sind belegt; ab 95 % ist das kritisch.",
      "Die Platte /var ist zu 88 % voll; ab 85 % ist das eine Warnung.",
    ].join(" ");
    expect(await said()).toEqual({
      device: ["online", "critical", all],
      incident: ["app-1 is in a critical state", all],
      description: expect.stringContaining(all),
      log: expect.stringContaining(all),
      app: [inGerman, "app-1 ist in kritischem Zustand", inGerman],
      page: null,
    });
    const [begun, ...more] = await mails();
    expect(more).toEqual([]);
    expect(begun?.subject).toBe("app-1 is in a critical state");
    expect(begun?.text.replaceAll(/\s+/g, " ")).toContain(all);
    // The disks were cleared; what is wrong now is the memory, and soon the processor.
    await report({ "memory.usage": 99.5, "cpu.usage": 99 }, 6);
    expect(await said()).toMatchObject({
      ...{ device: ["online", "critical", `${MEMORY} ${CPU}`], page: null },
      incident: ["app-1 is in a critical state", `${MEMORY} ${CPU}`],
      log: `app-1 is in a critical state. ${MEMORY} ${CPU}`,
    });
    const silentSince = clock.ms;
    await silence(2);
    const silent = expect.stringContaining("The agent has not reported since");
    expect(await said()).toMatchObject({
      ...{ device: ["offline", null, silent], incident: ["app-1 is down", silent], log: silent },
      page: ["Server is not available", "open", "outage"],
    });
    expect(clock.ms - silentSince).toBe(2 * MINUTE);
    expect((await mails()).map(({ subject }) => subject)).toEqual(["app-1 is offline"]);
    await report({ "memory.usage": 99.5, "cpu.usage": 99 }, 1);
    const back = await said();
    expect(back).toMatchObject({
      device: ["online", "critical", expect.stringContaining(MEMORY)],
      incident: ["app-1 is in a critical state", expect.stringContaining(MEMORY)],
      log: expect.stringMatching(
        /^app-1 has been online again since .* but it is in a critical state\. 100 % of the memory/,
      ),
      page: ["Server was not available", "resolved", "degraded"],
    });
    expect(back.incident[1]).toBe(back.device[2]);
    const [returned, ...others] = await mails();
    expect(others).toEqual([]);
    expect(returned?.subject).toBe("app-1 is in a critical state");
    expect(returned?.text.replaceAll(/\s+/g, " ")).toContain(MEMORY);
    await report({}, 12);
    expect(await said()).toMatchObject({
      ...{ device: ["online", "healthy", null], log: expect.stringMatching(/^app-1 is well again/) },
      incident: ["app-1 was offline and in a critical state", expect.any(String)],
      page: ["Server was not available", "resolved", "operational"],
    });
    expect((await mails()).map(({ subject }) => subject)).toEqual(["app-1 is healthy again"]);
  });

  it("the incident says what came and went, with a line for each critical problem alone", async () => {
    const { report, said, logLength } = await start(engine);
    await report({ "disk./.usage": 97 }, 2);
    const lines = await logLength();
    await report({ "disk./.usage": 97, "disk./var.usage": 88 }, 2);
    expect(await said()).toMatchObject({ incident: [expect.any(String), `${DISK} ${VAR}`] });
    expect(await logLength()).toBe(lines);
    await report({ "disk./.usage": 97, "disk./var.usage": 88, "memory.usage": 99.5 }, 2);
    const now = await said();
    expect(now.log).toBe(`app-1 is in a critical state. ${DISK} ${MEMORY} ${VAR}`);
    expect(await logLength()).toBe(lines + 1);
    // Which of them is fuller changes with every report, and is no event.
    await report({ "disk./.usage": 98, "disk./var.usage": 89, "memory.usage": 99.1 }, 2);
    expect(await logLength()).toBe(lines + 1);
    await report({ "disk./var.usage": 88 }, 2);
    expect((await said()).log).toBe(
      `app-1 is no longer in a critical state, but it is not healthy yet. ${VAR}`,
    );
  });
});
