import { expect, test } from "vitest";
import type { TestServer } from "../../harness/server.ts";
import { eachEngine } from "../../harness/stores.ts";
import { makeDomain, serve } from "../domains/factories.ts";
import { makeService } from "../services/factories.ts";

const NOW = Date.UTC(2026, 10, 20, 12);
const HOUR = 3_600_000;
const iso = (at: number) => new Date(at).toISOString();
const PATH = "/api/maintenance";
const everything = { duration: 3600, everything: true };

eachEngine("the API of maintenance windows", (engine) => {
  const clock = { ms: NOW, now: () => clock.ms };
  const start = () => {
    clock.ms = NOW;
    return serve({ engine, clock });
  };
  const plan = async (server: TestServer, body: object) =>
    (await server.api("POST", PATH, { ...everything, ...body })).body.data;

  test("201: plans, lists, gets, changes and deletes, in both families", async () => {
    const server = await start();
    const domain = await makeDomain(server);
    const service = await makeService(server);
    const planned = await server.api("POST", "/v2/maintenance", {
      title: " Upgrade ",
      starts_at: iso(NOW + HOUR),
      duration: 1800,
      time_zone: "Europe/Berlin",
      recurrence: "rrule:freq=weekly;byday=fr",
      tags: ["db"],
      monitor_ids: [domain.id, service.id],
    });
    expect(planned.status).toBe(201);
    const { id, uuid } = planned.body.data;
    expect(planned.body.data).toMatchObject({
      ...{ title: "Upgrade", state: "upcoming", duration: 1800, recurrence: "FREQ=WEEKLY;BYDAY=FR" },
      ...{ next_at: iso(NOW + HOUR), open_until: null, everything: false, tags: ["db"] },
    });
    expect(planned.body.data.monitors.map((one: { id: number }) => one.id).sort()).toEqual(
      [domain.id, service.id].sort(),
    );
    expect(planned.body.data.occurrences).toHaveLength(5);
    const got = await server.api("GET", `${PATH}/${uuid}`);
    expect(got.body.data).toMatchObject({ id, timeZone: "Europe/Berlin", until: null });
    const changed = await server.api("PUT", `${PATH}/${id}`, {
      monitorIds: [],
      until: iso(NOW + 10 * 86_400_000),
    });
    expect(changed.body.data).toMatchObject({ monitors: [], tags: ["db"], title: "Upgrade" });
    expect(changed.body.data.occurrences).toHaveLength(2);
    expect((await server.api("DELETE", `/v2/maintenance/${id}`)).body.data).toEqual({ id });
    expect((await server.api("GET", `${PATH}/${id}`)).status).toBe(404);
  });

  test("without a start it begins at once, ends on request, and a monitor can be muted so", async () => {
    const server = await start();
    const domain = await makeDomain(server);
    const muted = await server.api("POST", PATH, { duration: 3600, monitorIds: [domain.id] });
    expect(muted.body.data).toMatchObject({
      state: "active",
      openUntil: iso(NOW + HOUR),
      title: null,
    });
    clock.ms += 60_000;
    const ended = await server.api("POST", `${PATH}/${muted.body.data.id}/end`, {});
    expect([ended.status, ended.body.data.state]).toEqual([200, "past"]);
    const again = await server.api("POST", `${PATH}/${muted.body.data.id}/end`, {});
    expect([again.status, again.body.message]).toEqual([
      409,
      "It is not open at the moment, so there is nothing to end.",
    ]);
    const { startsAt, duration, timeZone, recurrence, until } = ended.body.data;
    const asRead = { title: "Done", startsAt, duration, timeZone, recurrence, until };
    const renamed = await server.api("PUT", `${PATH}/${muted.body.data.id}`, asRead);
    expect(renamed.body.data).toMatchObject({ title: "Done", state: "past" });
    const nameless = await server.api("PUT", `${PATH}/${muted.body.data.id}`, { title: " " });
    expect(nameless.body.errors).toEqual({ title: ["The title field is required."] });
    const longer = await server.api("PUT", `${PATH}/${muted.body.data.id}`, { duration: 7200 });
    expect(longer.body.data).toMatchObject({ state: "active", openUntil: iso(NOW + 2 * HOUR) });
  });

  test("the audit log names what an untitled window is for, and nothing where it names no monitor", async () => {
    const server = await start();
    const { organization } = server.person;
    const monitors = ["D", "B", "A", "C"].map((name) => makeDomain(server, { name }));
    const monitorIds = (await Promise.all(monitors)).map(({ id }) => id);
    const mute = await plan(server, { everything: false, monitorIds: monitorIds.slice(0, 1) });
    await server.api("POST", `${PATH}/${mute.id}/end`, {});
    await server.api("DELETE", `${PATH}/${mute.id}`);
    await plan(server, { everything: false, monitorIds });
    await plan(server, {});
    await plan(server, { title: "Disks", monitorIds });
    const at = `/api/organizations/${organization.id}/audit-log`;
    const { data } = (await server.api("GET", at)).body;
    const logged = data
      .filter(({ action }: { action: string }) => action.endsWith("maintenance"))
      .map(({ action, subject }: { action: string; subject: string | null }) => [action, subject]);
    expect(logged.reverse()).toEqual([
      ["create maintenance", "D"],
      ["end maintenance", "D"],
      ["delete maintenance", "D"],
      ["create maintenance", "A, B, C, …"],
      ["create maintenance", null],
      ["create maintenance", "Disks"],
    ]);
  });

  test("none is planned for a time that is over, and one that is over can still be named", async () => {
    const server = await start();
    const { id } = await plan(server, { duration: 3600 });
    clock.ms += 2 * HOUR;
    const change = async (body: object) => {
      const { status, body: answer } = await server.api("PUT", `${PATH}/${id}`, body);
      return [status, Object.keys(answer.errors ?? {})];
    };
    expect(await change({ title: "Disks" })).toEqual([200, []]);
    expect(await change({ duration: 1800 })).toEqual([422, ["duration"]]);
    expect(await change({ startsAt: iso(NOW - HOUR) })).toEqual([422, ["startsAt"]]);
    expect(await change({ duration: 3 * 3600 })).toEqual([200, []]);
  });

  test("what was ended stays ended when something else of it is changed, and not when it is planned anew", async () => {
    const server = await start();
    const { id, ...muted } = await plan(server, { duration: 3600 });
    clock.ms += 60_000;
    await server.api("POST", `${PATH}/${id}/end`, {});
    const { startsAt, duration, timeZone, recurrence, until } = muted;
    const same = { startsAt, duration, timeZone, recurrence, until };
    const renamed = await server.api("PUT", `${PATH}/${id}`, { title: "Disks", ...same });
    expect(renamed.body.data).toMatchObject({ title: "Disks", state: "past", openUntil: null });
    const longer = await server.api("PUT", `${PATH}/${id}`, { duration: 7200 });
    expect(longer.body.data).toMatchObject({ state: "active", openUntil: iso(NOW + 2 * HOUR) });
  });

  test("a rule may end so late that it never does", async () => {
    const server = await start();
    for (const recurrence of ["FREQ=DAILY;UNTIL=99991231", "FREQ=DAILY;UNTIL=20991231T000000Z"]) {
      expect((await plan(server, { recurrence, duration: 60 })).nextAt).toBe(iso(NOW + 24 * HOUR));
    }
    const leapDays = "FREQ=DAILY;BYMONTH=2;BYMONTHDAY=29;COUNT=1000";
    expect((await plan(server, { recurrence: leapDays, duration: 60 })).nextAt).toContain("2028-02-29");
    const until = "9999-12-31T00:00:00Z";
    expect((await plan(server, { recurrence: "FREQ=DAILY", until, duration: 60 })).state).toBe("active");
  });

  test("one time of several can be skipped, or ended early; the others stay", async () => {
    const server = await start();
    const daily = await plan(server, { recurrence: "FREQ=DAILY" });
    expect(daily.state).toBe("active");
    const first = (data: { occurrences: { startsAt: string }[] }) => data.occurrences[0]?.startsAt;
    const skipped = await server.api("POST", `${PATH}/${daily.id}/skip`, {
      startsAt: iso(NOW + 24 * HOUR),
    });
    expect(skipped.body.data.nextAt).toBe(iso(NOW + 48 * HOUR));
    expect(first(skipped.body.data)).toBe(iso(NOW));
    const wrong = await server.api("POST", `${PATH}/${daily.id}/skip`, { startsAt: iso(NOW + 5 * HOUR) });
    expect([wrong.status, Object.keys(wrong.body.errors)]).toEqual([422, ["startsAt"]]);
    clock.ms += 60_000;
    const ended = await server.api("POST", `${PATH}/${daily.id}/end`, {});
    expect(ended.body.data).toMatchObject({
      state: "upcoming",
      openUntil: null,
      nextAt: iso(NOW + 48 * HOUR),
    });
    const next = await server.api("POST", `${PATH}/${daily.id}/skip`, {});
    expect(next.body.data.nextAt).toBe(iso(NOW + 72 * HOUR));
  });

  test.each([
    ["its duration", { duration: 5 * 3_600 }],
    ["the time at which it begins", { startsAt: iso(NOW + 25 * 60_000) }],
    ["its rule", { recurrence: "FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR,SA,SU" }],
  ])("a skipped time stays skipped when %s is changed while it would be running", async (_what, change) => {
    const server = await start();
    const daily = await plan(server, {
      ...{ recurrence: "FREQ=DAILY", startsAt: iso(NOW + 10 * 60_000), duration: 3_600 },
    });
    await server.api("POST", `${PATH}/${daily.id}/skip`, {});
    clock.ms += 30 * 60_000;
    const { data } = (await server.api("PUT", `${PATH}/${daily.id}`, change)).body;
    expect([data.state, data.openUntil]).toEqual(["upcoming", null]);
    clock.ms += 24 * HOUR;
    expect((await server.api("GET", `${PATH}/${daily.id}`)).body.data.state).toBe("active");
  });

  test("a skipped time that would be over stays skipped when the window is made longer, once and again", async () => {
    const server = await start();
    const daily = await plan(server, {
      ...{ recurrence: "FREQ=DAILY", startsAt: iso(NOW + 10 * 60_000), duration: 1_800 },
    });
    await server.api("POST", `${PATH}/${daily.id}/skip`, {});
    clock.ms += HOUR;
    for (const duration of [2_400, 3 * 3_600, 5 * 3_600]) {
      const { data } = (await server.api("PUT", `${PATH}/${daily.id}`, { duration })).body;
      expect([duration, data.state, data.openUntil]).toEqual([duration, "upcoming", null]);
    }
    clock.ms += 24 * HOUR;
    expect((await server.api("GET", `${PATH}/${daily.id}`)).body.data.state).toBe("active");
  });

  test("the list is narrowed by state, monitor and time, and orders what is open first", async () => {
    const server = await start();
    const domain = await makeDomain(server, { tags: ["db"] });
    const other = await makeDomain(server, { url: "https://other.test" });
    clock.ms -= 2 * HOUR;
    const past = await plan(server, { title: "Past" });
    clock.ms += 2 * HOUR;
    const later = await plan(server, {
      title: "Later",
      startsAt: iso(NOW + 50 * HOUR),
      everything: false,
      tags: ["db"],
    });
    const soon = await plan(server, {
      title: "Soon",
      startsAt: iso(NOW + HOUR),
      everything: false,
      monitorIds: [other.id],
    });
    const open = await plan(server, { title: "Open" });
    const titles = async (query = "") =>
      (await server.api("GET", `${PATH}${query}`)).body.data.map((one: { title: string }) => one.title);
    expect(await titles()).toEqual(["Open", "Soon", "Later", "Past"]);
    expect(await titles("?state=past")).toEqual(["Past"]);
    expect(await titles("?state=active")).toEqual(["Open"]);
    expect(await titles(`?monitor=${domain.id}`)).toEqual(["Open", "Later", "Past"]);
    expect(await titles(`?monitor=${other.uuid}&state=upcoming`)).toEqual(["Soon"]);
    expect(await titles(`?from=${iso(NOW + 2 * HOUR)}&to=${iso(NOW + 99 * HOUR)}`)).toEqual(["Later"]);
    expect((await server.api("GET", `${PATH}?monitor=999999`)).status).toBe(422);
    expect((await server.api("GET", `${PATH}?from=${iso(NOW)}&to=${iso(NOW)}`)).status).toBe(422);
    const never = await server.api("GET", `${PATH}?from=9999-12-31T23:59:59.999Z`);
    expect([never.status, Object.keys(never.body.errors ?? {})]).toEqual([422, ["from"]]);
    const paged = await server.api("GET", "/v2/maintenance?page=2&per_page=3");
    expect(paged.body.data.map((one: { id: number }) => one.id)).toEqual([past.id]);
    expect([soon.state, later.state, open.state]).toEqual(["upcoming", "upcoming", "active"]);
    const calendar = await server.api("GET", `${PATH}?from=2027-03-27T00:00:00Z&to=2027-03-30T00:00:00Z`);
    expect(calendar.body.data).toEqual([]);
  });

  test("422: what cannot be, by field, and nothing is stored", async () => {
    const server = await start();
    const elsewhere = await start();
    const foreign = await makeDomain(elsewhere);
    const refused = async (body: object) => {
      const { status, body: answer } = await server.api("POST", PATH, { ...everything, ...body });
      return [status, Object.keys(answer.errors ?? {})];
    };
    expect(await refused({ recurrence: "nonsense" })).toEqual([422, ["recurrence"]]);
    expect(await refused({ recurrence: "FREQ=SECONDLY" })).toEqual([422, ["recurrence"]]);
    expect(await refused({ recurrence: "FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30" })).toEqual([
      422,
      ["recurrence"],
    ]);
    expect(await refused({ recurrence: "FREQ=DAILY;UNTIL=20200101" })).toEqual([422, ["recurrence"]]);
    expect(await refused({ recurrence: "FREQ=DAILY;UNTIL=20300230" })).toEqual([422, ["recurrence"]]);
    expect(await refused({ recurrence: "FREQ=DAILY", duration: 86_401 })).toEqual([422, ["duration"]]);
    expect(await refused({ duration: 59 })).toEqual([422, ["duration"]]);
    expect(await refused({ timeZone: "Mars/Olympus" })).toEqual([422, ["timeZone"]]);
    expect(await refused({ until: iso(NOW - 1) })).toEqual([422, ["until"]]);
    expect(await refused({ startsAt: "tomorrow" })).toEqual([422, ["startsAt"]]);
    expect(await refused({ startsAt: "9999-12-31T23:59:59Z", recurrence: "FREQ=DAILY" })).toEqual([
      422,
      ["startsAt"],
    ]);
    expect(await refused({ everything: false })).toEqual([422, ["monitorIds"]]);
    expect(await refused({ monitorIds: [foreign.id] })).toEqual([422, ["monitorIds"]]);
    expect(await refused({ title: " " })).toEqual([422, ["title"]]);
    expect(await refused({ startsAt: iso(NOW - 2 * HOUR), duration: 3600 })).toEqual([422, ["startsAt"]]);
    expect((await server.api("GET", PATH)).body.data).toEqual([]);
  });

  test("says when a window would be open, over a change of the clock", async () => {
    const server = await start();
    const preview = await server.api("POST", "/v2/maintenance/preview", {
      ...{ starts_at: "2027-03-26T01:30:00Z", duration: 3600 },
      ...{ time_zone: "Europe/Berlin", recurrence: "FREQ=DAILY" },
    });
    expect(
      preview.body.data.occurrences.map((one: { starts_at: string }) => one.starts_at.slice(0, 16)),
    ).toEqual([
      "2027-03-26T01:30",
      "2027-03-27T01:30",
      "2027-03-28T01:30",
      "2027-03-29T00:30",
      "2027-03-30T00:30",
    ]);
    // What began long ago is shown from now on, and what was once is shown as it was.
    const now = server.ctx.clock.now();
    const past = { startsAt: new Date(now - 30 * 86_400_000).toISOString(), duration: 3600 };
    const timesOf = async (more: object): Promise<{ endsAt: string }[]> =>
      (await server.api("POST", `${PATH}/preview`, { ...past, ...more })).body.data.occurrences;
    const weekly = await timesOf({ recurrence: "FREQ=WEEKLY" });
    expect(weekly.map(({ endsAt }) => Date.parse(endsAt) > now)).toEqual([true, true, true, true, true]);
    expect(await timesOf({})).toMatchObject([{ startsAt: past.startsAt }]);
    const bad = await server.api("POST", `${PATH}/preview`, { duration: 3600, recurrence: "x" });
    expect([bad.status, Object.keys(bad.body.errors)]).toEqual([422, ["recurrence"]]);
  });

  test("the monitors of other organizations, and those that a key may not read, do not exist", async () => {
    const server = await start();
    const domain = await makeDomain(server);
    const window = await plan(server, { everything: false, monitorIds: [domain.id] });
    const foreign = await (await start()).createKey();
    for (const [method, path] of [
      ["GET", `${PATH}/${window.id}`],
      ["PUT", `${PATH}/${window.id}`],
      ["DELETE", `${PATH}/${window.uuid}`],
      ["POST", `${PATH}/${window.id}/end`],
      ["POST", `${PATH}/${window.id}/skip`],
    ] as const) {
      const body = method === "GET" || method === "DELETE" ? undefined : {};
      expect((await server.api(method, path, body, { key: foreign })).status).toBe(404);
    }
    const narrow = await server.createKey({ scopes: ["write:maintenance"], person: server.person });
    const shown = await server.api("GET", `${PATH}/${window.id}`, undefined, { key: narrow });
    expect([shown.status, shown.body.data.monitors]).toEqual([200, []]);
    const named = await server.api("POST", PATH, { duration: 60, monitorIds: [domain.id] }, { key: narrow });
    expect([named.status, Object.keys(named.body.errors)]).toEqual([422, ["monitorIds"]]);
  });
});
