import { expect, test } from "vitest";
import { channelKinds } from "../../../src/alerts/channels/registry.ts";
import { CASES, type HttpType } from "./channel-cases.ts";
import { outgoingOf } from "./outgoing.ts";

const SERVER = "https://there.example/";

/** What a kind sends of the same outage; its details are cut out of the golden ones below. */
function sent(type: HttpType, changes: Parameters<typeof outgoingOf>[0] = {}) {
  const {
    headers,
    body,
    method = "POST",
    url,
  } = channelKinds[type].request(CASES[type].config(SERVER) as never, outgoingOf(changes));
  return { method, path: url.slice(SERVER.length - 1), headers, body };
}

const PLAIN =
  "Shop has been down since 12:00. Connection refused.\n\nTarget: https://shop.example/\n\nhttps://vedette.test/domains/1";

const down = { type: "error", event: "monitor.down" } as const;
const up = { type: "success", event: "monitor.up", reference: "$first" } as const;

test("Matrix: a message, an answer to it, and its replacement, which mention no one", () => {
  const content = { msgtype: "m.text", body: `Shop is down\n\n${PLAIN}`, "m.mentions": {} };
  expect(sent("matrix", down)).toEqual({
    method: "PUT",
    path: "/_matrix/client/v3/rooms/!ops%3Aexample.com/send/m.room.message/0190-id",
    headers: { authorization: "Bearer syt_token" },
    body: { json: content },
  });
  const flapping = sent("matrix", { ...up, event: "monitor.flapping" });
  expect(flapping.body).toEqual({
    json: { ...content, "m.relates_to": { "m.in_reply_to": { event_id: "$first" } } },
  });
  expect(sent("matrix", up).body).toEqual({
    json: {
      ...content,
      body: `* ${content.body}`,
      "m.new_content": content,
      "m.relates_to": { rel_type: "m.replace", event_id: "$first" },
    },
  });
});

test.each(["matrix", "opsgenie", "pagerduty", "discord"] as const)(
  "%s: what is stable again resolves the alert as a recovery does, what stays down does not",
  (type) => {
    expect(sent(type, { ...up, event: "monitor.settled" })).toEqual(sent(type, up));
    const still = { ...up, type: "error" } as const;
    expect(sent(type, { ...still, event: "monitor.settled" })).toEqual(
      sent(type, { ...still, event: "monitor.flapping" }),
    );
  },
);

test.each(["matrix", "discord"] as const)(
  "%s: what it said stays while something else of the thread is down",
  (type) => {
    const end = sent(type, { ...up, isPartial: true });
    expect(end.method).toBe(sent(type, down).method);
    expect(JSON.stringify(end.body)).not.toContain("m.replace");
  },
);

test("Opsgenie: an alert by its alias, which is closed; a test closes what is not there", () => {
  const headers = { authorization: "GenieKey genie-token" };
  expect(sent("opsgenie", down)).toEqual({
    method: "POST",
    path: "/v2/alerts",
    headers,
    body: {
      json: {
        message: "Shop is down",
        alias: "vedette-7",
        description: "Shop has been down since 12:00. Connection refused.\n\nhttps://vedette.test/domains/1",
        details: { Target: "https://shop.example/" },
        tags: ["shop"],
        entity: "https://shop.example/",
        source: "Vedette",
        priority: "P2",
      },
    },
  });
  const closed = {
    method: "POST",
    path: "/v2/alerts/vedette-7/close?identifierType=alias",
    headers,
    body: {
      json: { source: "Vedette", note: "Shop is down\nShop has been down since 12:00. Connection refused." },
    },
  };
  expect(sent("opsgenie", up)).toEqual(closed);
  expect(sent("opsgenie", { event: "test" })).toEqual(closed);
});

test("Twilio: a form with basic authentication, from a number, a name or a service", () => {
  const account = `AC${"0".repeat(32)}`;
  expect(sent("twilio", down)).toEqual({
    method: "POST",
    path: `/2010-04-01/Accounts/${account}/Messages.json`,
    headers: { authorization: `Basic ${Buffer.from(`${account}:auth-token`).toString("base64")}` },
    body: {
      form: {
        To: "+4915112345678",
        From: "+15005550006",
        Body: "Shop is down\nShop has been down since 12:00. Connection refused.\nhttps://vedette.test/domains/1",
      },
    },
  });
  const config = { account, login: `SK${"1".repeat(32)}`, token: "t", phone: "+4915112345678" };
  const service = { ...config, sender: `MG${"2".repeat(32)}` };
  const { headers, body } = channelKinds.twilio.request(service, outgoingOf(down));
  expect(headers).toEqual({
    authorization: `Basic ${Buffer.from(`${config.login}:t`).toString("base64")}`,
  });
  expect(body).toMatchObject({ form: { MessagingServiceSid: service.sender } });
  expect(body).not.toHaveProperty("form.From");
});

test("Apprise: a stored configuration with its tag, or the URLs themselves", () => {
  // Whatever Apprise makes of it, what others wrote is no link.
  const body = PLAIN.replace("https://shop", "https:\u200b//shop");
  const received = { title: "Shop is down", body, type: "failure", format: "text" };
  expect(sent("apprise", down)).toEqual({
    method: "POST",
    path: "/notify/config-token",
    headers: undefined,
    body: { json: { ...received, tag: "oncall" } },
  });
  const urls = " tgram://123/456\n mailto://me:secret@example.com ";
  const stateless = channelKinds.apprise.request({ server: SERVER, urls }, outgoingOf(down));
  expect(stateless).toEqual({
    url: `${SERVER}notify`,
    body: { json: { ...received, urls: ["tgram://123/456", "mailto://me:secret@example.com"] } },
  });
});

test("Apprise: who had a key and gives URLs wants the URLs, and the other way round; both at once are refused", () => {
  const { complete, problems } = channelKinds.apprise;
  const both = { server: SERVER, key: "k", urls: "json://x" };
  expect(complete?.(both, { key: "k" })).toEqual({ server: SERVER, urls: "json://x" });
  expect(complete?.(both, { urls: "json://x" })).toEqual({ server: SERVER, key: "k" });
  expect(complete?.(both, {})).toEqual(both);
  expect(Object.keys(problems?.(both) ?? {})).toEqual(["urls"]);
  expect(Object.keys(problems?.({ server: SERVER }) ?? {})).toEqual(["key"]);
  expect(problems?.({ server: SERVER, key: "k" })).toEqual({});
});

test("who can show a button or a link shows Acknowledge as one; others write its address out", () => {
  const url = "https://vedette.test/acknowledge#token";
  const words = { acknowledge: { label: "Acknowledge", url } };
  const json = (type: HttpType) =>
    JSON.stringify((sent(type, { ...down, words }).body as { json: object }).json);
  const button = { type: "button", text: { type: "plain_text", text: "Acknowledge", emoji: false }, url };
  expect(json("slack")).toContain(JSON.stringify(button));
  expect(json("teams")).toContain(JSON.stringify({ type: "Action.OpenUrl", title: "Acknowledge", url }));
  expect(json("ntfy")).toContain(JSON.stringify({ action: "view", label: "Acknowledge", url, clear: true }));
  for (const type of ["discord", "mattermost"] as const)
    expect(json(type)).toContain(`[Acknowledge](${url})`);
  for (const type of ["telegram", "matrix", "gotify", "apprise"] as const) {
    expect(json(type)).toContain(`Acknowledge: ${url}`);
  }
  for (const type of ["slack", "teams", "ntfy"] as const) expect(json(type).split(url)).toHaveLength(2);
});
