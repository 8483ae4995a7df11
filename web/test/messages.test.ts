import { describe, expect, test } from "vitest";
import { de } from "../../server/src/platform/i18n/de.ts";
import { en } from "../../server/src/platform/i18n/en.ts";
import { msg } from "../../server/src/platform/i18n/message.ts";
import { refusals } from "../../server/src/platform/i18n/refusals/en.ts";
import { zh } from "../../server/src/platform/i18n/zh.ts";
import { english } from "../src/i18n/english.ts";
import { formatMessage, messageTexts } from "../src/i18n/messages.ts";

const sentence = "As the server says it.";

test("a message is written in the reader's language, with days and durations as it writes them", () => {
  const expired = msg("certificate.expired", { day: "2026-11-21" });
  expect(formatMessage(de, { sentence, message: expired }, "de")).toBe(
    "Das Zertifikat ist am 21.11.2026 abgelaufen.",
  );
  const over = msg("incident.recovered", { name: "Shop", lasted: 7_200_000 });
  expect(formatMessage(zh, { sentence, message: over }, "zh")).toBe("Shop 已恢复正常。故障持续了 2 小时。");
});

test("why a message of a log is not sent again is said in the reader's language", () => {
  const over = msg("delivery.recovered", { name: "Shop" });
  expect(formatMessage(de, { sentence, message: over }, "de")).toMatch(
    /^Diese Nachricht ist überholt: Shop läuft/,
  );
  expect(formatMessage(zh, { sentence, message: over }, "zh")).toContain("Shop 此后已恢复正常");
});

test.each(Object.entries<string>(en).filter(([, text]) => text.includes(":time}")))(
  "%s is said in the reader's time in English, too",
  async (code, text) => {
    const names = Array.from(text.matchAll(/\{(\w+):time\}/g), ([, name = ""]) => name);
    const params = Object.fromEntries(names.map((name) => [name, "2026-11-21T09:00:00.000Z"]));
    const said = formatMessage(await messageTexts.en(), { sentence, message: { code, params } }, "en");
    expect(said).not.toContain("2026-11-21");
    expect(said.match(/Nov 21, 2026, \d/g)).toHaveLength(names.length);
  },
);

test("a message with a time is said in English with what it comes from", async () => {
  const outage = {
    ...msg("notification.down", { name: "Shop", since: "2026-11-21T09:00:00.000Z" }),
    because: msg("dns.missing", { host: "shop.example" }),
  };
  expect(formatMessage(await messageTexts.en(), { sentence, message: outage }, "en")).toMatch(
    /^Shop has been down since Nov 21, 2026, .*\. The name shop\.example does not exist in the DNS, or has no address\.$/,
  );
});

test("what else holds is said after a message, in Chinese without a space", () => {
  const level = "critical" as const;
  const reason = {
    ...msg("health.disk", { path: "/", percent: 97, limit: 95, level }),
    also: [msg("health.memory", { percent: 99, limit: 95, level }), msg("health.more", { problems: 2 })],
  };
  expect(formatMessage(de, { sentence, message: reason }, "de")).toBe(
    "Die Platte / ist zu 97 % voll; ab 95 % ist das kritisch. 99 % des Arbeitsspeichers sind belegt; ab 95 % ist das kritisch. Es gibt 2 weitere Probleme.",
  );
  expect(formatMessage(zh, { sentence, message: reason }, "zh")).toMatch(
    /。内存已使用 99%；.*。另有 2 个问题。$/,
  );
});

test("where there is no code or no text for it, the server's sentence stays", () => {
  const refused = msg("refused", { where: "shop.example" });
  expect(formatMessage(english, { sentence, message: refused }, "en")).toBe(sentence);
  expect(formatMessage(de, { sentence, message: null }, "de")).toBe(sentence);
  expect(formatMessage(de, { sentence, message: { code: "refused.later" } }, "de")).toBe(sentence);
  expect(
    formatMessage(de, { sentence, message: { code: "refused.text", params: { text: "No." } } }, "de"),
  ).toBe(sentence);
});

describe("a refusal", () => {
  const url = msg("input.required", { field: "url" });

  test("is said of its field, where the app has words for that, else of any", () => {
    expect(formatMessage(english, { sentence, message: url, field: "url" }, "en")).toBe(
      "Enter the URL to watch.",
    );
    expect(formatMessage(english, { sentence, message: url, field: "constructor" }, "en")).toBe("Required");
    expect(formatMessage(de, { sentence, message: url, field: "url" }, "de")).toBe("Pflichtfeld");
  });

  test("holds what it comes from, in the same language", () => {
    const unreadable = { ...msg("page.unreadable"), because: msg("dns.missing", { host: "shop.example" }) };
    expect(formatMessage(de, { sentence, message: unreadable }, "de")).toBe(
      "Die Seite konnte nicht gelesen werden. Der Name shop.example steht nicht im DNS oder hat keine Adresse.",
    );
  });

  test("keeps what was typed to the letter", () => {
    const twice = msg("header.twice", { name: "$& {name} (a+)" });
    expect(formatMessage(de, { sentence, message: twice }, "de")).toBe(
      "Der Header $& {name} (a+) ist doppelt angegeben.",
    );
  });
});

test.each([
  ["English", { ...refusals, ...english }],
  ["German", de],
  ["Chinese", zh],
])("a refusal is said in %s without the API's names of fields, choices and scopes", (_language, texts) => {
  // A form chooses the names of its fields, and tags nothing; who is signed in has no scopes, a key's are for programs.
  const ofPrograms =
    /^(input\.(unknown|parameter|nul_name|reserved_name)|tag\.(action|none)|(access|account)\..*scope|access\.grant_role)/;
  const naming = Object.keys(refusals)
    .filter((code) => !ofPrograms.test(code))
    .filter((code) =>
      /\{(field|secret|changed|config|type|comparison|scope)\}/.test(texts[code as keyof typeof refusals]),
    );
  expect(naming).toEqual([]);
});

test("the app's English says nothing that the API does not, and fills in no more", () => {
  const slots = (text: string) => text.match(/\{[^}]*\}/g) ?? [];
  for (const [key, text] of Object.entries<string>(english as Record<string, string>)) {
    const [code = ""] = key.split(" ");
    expect(en).toHaveProperty([code]);
    expect(slots(en[code as keyof typeof en]), key).toEqual(expect.arrayContaining(slots(text)));
  }
});
