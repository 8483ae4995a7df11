import { expect, onTestFinished, test } from "vitest";
import { ingestBatch } from "../../../src/app/pipeline.ts";
import { failed, probed } from "../../app/pipeline/setup.ts";
import { eachEngine } from "../../harness/stores.ts";
import { startHttpTarget } from "../../harness/targets.ts";
import { linkDomain, makePage, PAGES, publicOf } from "../factories.ts";
import { HOUR, startSubscribing, subscribed } from "../subscriber/subscribing.ts";

interface ShownPage {
  name: string;
  subscribers: number;
  unchangedSince: string | null;
  entries: { updateId: number; texts: { language: string; message: string }[] }[];
}

type Scene = Awaited<ReturnType<typeof startSubscribing>>;

const pagesOf = async ({ server }: Scene, incident: { id: number }, body: object = {}) => {
  const answer = await server.api("POST", `/api/incidents/${incident.id}/draft-update`, body);
  return answer.body.data.pages as ShownPage[];
};

/** The first domain goes down, or comes back. */
async function outage({ server, domains, now }: Scene, is: "down" | "up") {
  const { id } = domains[0] as { id: number };
  const check = is === "down" ? failed : probed;
  await ingestBatch(server.ctx, [check(id, now() - 2_000), check(id, now() - 1_000)]);
  return (await server.api("GET", "/api/incidents")).body.data[0] as { id: number };
}

eachEngine("the pages that show what an incident affects", (engine) => {
  test("say what visitors read in the place of each entry that Vedette wrote itself, and where nothing", async () => {
    const all = await startSubscribing({ engine });
    const { server, page, domains, pass } = all;
    const quiet = await makePage(server, { name: "Quiet", showAutomatic: false });
    await linkDomain(server, quiet, domains[0] as { id: number });
    await outage(all, "down");
    pass(10_000);
    const incident = await outage(all, "up");
    const log = (await server.api("GET", `/api/incidents/${incident.id}/updates`)).body.data;
    expect(log.map(({ fact }: { fact: { code: string } }) => fact.code)).toEqual([
      "incident.outage",
      "incident.recovered",
    ]);
    const [shown, silent] = await pagesOf(all, incident);
    expect(shown?.entries.map(({ updateId }) => updateId)).toEqual(log.map(({ id }: { id: number }) => id));
    const said = shown?.entries.map(({ texts }) => texts.find(({ language }) => language === "en")?.message);
    expect(said).toEqual(["Shop is not available.", "Shop is available again."]);
    const [reported] = (await publicOf(server, page.slug)).history;
    expect(reported.updates.map(({ message }: { message: string }) => message).toReversed()).toEqual(said);
    expect(silent?.entries).toEqual([]);
    expect((await publicOf(server, quiet.slug)).history).toEqual([]);
  });

  test("are known for monitors before there is an incident, with whom it would reach", async () => {
    const all = await startSubscribing({ engine });
    const { server, page, domains } = all;
    const [shop, ...others] = domains as { id: number }[];
    await makePage(server, { name: "Empty" });
    const showing = async (ids: string) =>
      (await server.api("GET", `${PAGES}/showing?ids=${ids}`)).body.data as ShownPage[];
    expect(await showing(`${shop?.id},987654`)).toEqual([
      {
        ...{ uuid: page.uuid, name: "Example", slug: page.slug, isPublic: true },
        ...{ showAutomatic: true, components: ["Shop"], subscribers: 0 },
      },
    ]);
    await subscribed(all, "ada@example.com");
    expect((await showing([shop, ...others].map((one) => one?.id).join()))[0]?.subscribers).toBe(1);
    expect(await showing("987654")).toEqual([]);
  });

  test("say nothing of what visitors do not find there any more", async () => {
    const all = await startSubscribing({ engine });
    const { server, page, post, pass } = all;
    const incident = await outage(all, "down");
    pass(10_000);
    await outage(all, "up");
    await post(incident, "It was the database.", "resolved");
    const shown = async () => {
      const [one] = await pagesOf(all, incident);
      return { entries: one?.entries.length, isReported: one?.unchangedSince !== null };
    };
    expect((await publicOf(server, page.slug)).history).toHaveLength(1);
    expect(await shown()).toEqual({ entries: 2, isReported: true });
    pass(95 * 24 * HOUR);
    expect((await publicOf(server, page.slug)).history).toEqual([]);
    expect(await shown()).toEqual({ entries: 0, isReported: false });
  });

  test("say of each entry what it is about, also where the monitor was renamed meanwhile", async () => {
    const all = await startSubscribing({ engine });
    const { server, domains, pass, now } = all;
    const ids = domains.map(({ id }) => id);
    const both = (check: typeof failed) =>
      ingestBatch(
        server.ctx,
        [2_000, 1_000].flatMap((ago) => ids.map((id) => check(id, now() - ago))),
      );
    await both(failed);
    const [incident, other] = (await server.api("GET", "/api/incidents")).body.data;
    await server.api("POST", `/api/incidents/${other.id}/merge`, { into: incident.id });
    pass(60_000);
    await server.api("PUT", `/api/domains/${ids[0]}`, { name: "three" });
    await both(probed);
    const log = (await server.api("GET", `/api/incidents/${incident.id}/updates`)).body.data;
    const [shown] = await pagesOf(all, incident);
    const said = log.map(
      ({ id, fact }: { id: number; fact: { code: string; params: { name?: string } } }) => {
        const own = shown?.entries.find(({ updateId }) => updateId === id);
        return [fact.code, fact.params.name, own?.texts[0]?.message];
      },
    );
    expect(said.toSorted()).toEqual([
      ["incident.merged", undefined, undefined],
      ["incident.outage", "one", "Shop is not available."],
      ["incident.outage", "two", "Database is not available."],
      ["incident.recovered", "three", "Shop is available again."],
      ["incident.recovered", "two", "Database is available again."],
    ]);
  });

  test("say how many subscribers an update reaches: those who are notified, of what it affects", async () => {
    const all = await startSubscribing({ engine });
    const { server, page, shop, database, report, subscribe } = all;
    const hook = await startHttpTarget();
    onTestFinished(hook.close);
    await subscribed(all, "ada@example.com");
    await subscribed(all, "bob@example.com", [["component[]", shop?.uuid ?? ""]]);
    await subscribed(all, "eve@example.com", [["component[]", database?.uuid ?? ""]]);
    await subscribe({ kind: "email", address: "unconfirmed@example.com" });
    await server.api("POST", `${PAGES}/${page.id}/subscribers`, { kind: "webhook", address: hook.url });
    const incident = await report("Payments fail");
    const reach = async () => (await pagesOf(all, incident)).map(({ subscribers }) => subscribers);
    expect(await reach()).toEqual([3]);
    await server.api("PUT", `${PAGES}/${page.id}`, { isPublic: false });
    expect(await reach()).toEqual([0]);
  });

  test("say since when the state has been described in words, until something happens", async () => {
    const all = await startSubscribing({ engine });
    const { server, post, pass, now } = all;
    const incident = await outage(all, "down");
    const since = async (body: object = {}) => (await pagesOf(all, incident, body))[0]?.unchangedSince;
    expect(await since()).toBeNull();
    pass(60_000);
    await post(incident, "We are on it.");
    const reported = new Date(now()).toISOString();
    pass(60_000);
    expect(await since()).toBe(reported);
    expect(await since({ status: "monitoring" })).toBeNull();
    await server.api("PUT", `/api/incidents/${incident.id}`, { status: "monitoring" });
    expect(await since()).toBeNull();
    await post(incident, "It seems to hold.", "monitoring");
    expect(await since()).toBe(new Date(now()).toISOString());
    pass(60_000);
    await outage(all, "up");
    expect(await since({ status: "monitoring" })).toBeNull();
  });
});
