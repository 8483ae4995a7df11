import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { REASON_CLASSES } from "../../../src/checks/reasons.ts";
import { de } from "../../../src/platform/i18n/de.ts";
import { en } from "../../../src/platform/i18n/en.ts";
import { inEnglish } from "../../../src/platform/i18n/english.ts";
import { excerpt, msg, readStoredMessage } from "../../../src/platform/i18n/message.ts";
import { refusals } from "../../../src/platform/i18n/refusals/en.ts";
import { formatsOf, listed, renderMessage } from "../../../src/platform/i18n/render.ts";
import { zh } from "../../../src/platform/i18n/zh.ts";
import { anyText } from "../../harness/any-text.ts";

const SOURCE = join(import.meta.dirname, "../../../src");
const FORMATS = {
  day: (day: string) => day,
  time: (time: string) => time,
  duration: (ms: number) => `${ms} ms`,
  percent: (value: number) => `${value} %`,
  plural: (count: number) => (count === 1 ? ("one" as const) : ("other" as const)),
};
const LANGUAGES: [string, Readonly<Record<string, string>>][] = Object.entries({ de, zh });
const codes = Object.entries<string>(en);

/** What fills a text in: names with their kinds, in order. */
const slotsOf = (text: string) =>
  (text.match(/\{[^}]*\}/g) ?? []).map((slot) => slot.replace("{ ", "{")).sort();

const isWhole = (text: unknown): boolean => typeof text === "string" && text.isWellFormed();

describe("the texts", () => {
  test.each(LANGUAGES)("of %s are those of English, filled in alike", (_language, texts) => {
    expect(Object.keys(texts).sort()).toEqual(Object.keys(en).sort());
    for (const [code, text] of codes) {
      const slots = slotsOf(texts[code] ?? "");
      // Beside its field a refusal need not name it.
      if (Object.hasOwn(refusals, code)) expect(slotsOf(text), code).toEqual(expect.arrayContaining(slots));
      else expect(slots, code).toEqual(slotsOf(text));
    }
  });

  test("of refusals name fields of two words by their params only, so that v2 can say them in its own way", () => {
    for (const text of Object.values(refusals)) expect(text).not.toMatch(/\b[a-z]+[A-Z]/);
  });

  test("have no parameter of two words: v2 would not know what to call it", () => {
    for (const [code, text] of codes)
      expect(
        text.replaceAll(/\{ ?[a-z]+(?::(?:word|place|count|percent|day|time|duration))?\}/g, ""),
        code,
      ).not.toMatch(/[{}]/);
  });

  test("are each used, or are a word of another", () => {
    const files = readdirSync(SOURCE, { recursive: true, encoding: "utf8" });
    const source = files
      .filter((file) => file.endsWith(".ts") && !file.startsWith("texts/"))
      .map((file) => readFileSync(join(SOURCE, file), "utf8"))
      .join("\n");
    const words = new Set(
      codes.flatMap(([, text]) => [...text.matchAll(/\{ ?(\w+):(?:word|count)\}/g)].map(([, name]) => name)),
    );
    const isReported = (code: string) => {
      const [first = "", rest] = code.split(".");
      // What the types of a union are put together to (http/openapi-complete.test.ts).
      if (code.startsWith("types.")) return true;
      if (first === "place") return source.includes(`code: "${rest}"`);
      if (rest === undefined || !words.has(first))
        return new RegExp(`["\`]${code}["\`]`).test(source) || isComposed(code);
      return new RegExp(`["\`:]\\s*"?${rest}\\b`).test(source);
    };
    /** `timeout.${stage}`, body.${"chunk_long" | …}. */
    const isComposed = (code: string) => {
      const [first, rest] = code.split(".");
      return source.includes(`\`${first}.\${`) && new RegExp(`["']${rest}["']`).test(source);
    };
    expect(codes.map(([code]) => code).filter((code) => !isReported(code))).toEqual([]);
  });

  test("of reasons have a class that the API names", () => {
    const others = new Set([
      "ended",
      "unfit",
      "operator",
      "why",
      "range",
      "watch",
      "explain",
      "state",
      "quorum",
      "whatif",
      "grouped",
      "push",
      "issued",
      "which",
      "whose",
      "incident",
      "integration",
      "assistant",
      "model",
      "deployment",
      "by",
      "subscriber",
      "template",
      "others",
      "tool",
      "rcode",
      "maintenance",
      "parent",
      "stage",
      "notification",
      "route",
      "settings",
      "import",
      "channel",
      "delivery",
      "check",
      "input",
      "interval",
      "page",
      "device",
      "level",
      "problems",
      "link",
      "place",
    ]);
    const classes = new Set(
      codes
        .filter(([code]) => !Object.hasOwn(refusals, code))
        .map(([code]) => code.split(".")[0] ?? "")
        .filter((one) => !others.has(one)),
    );
    expect([...classes].sort()).toEqual([...REASON_CLASSES].sort());
  });
});

describe("a message", () => {
  test("is said in each language, with what it comes from", () => {
    const why = msg("body.some", {
      where: "shop.test",
      arrived: 5,
      announced: 9,
      ended: "h2_error",
      error: "no",
    });
    const outage = {
      ...msg("incident.outage", { name: "Shop", since: "2026-11-21T09:30:00.000Z" }),
      because: why,
    };
    expect(inEnglish(outage)).toBe(
      "Shop has not been working since 2026-11-21 09:30:00 UTC. Only 5 of 9 bytes of the body arrived: shop.test ended the HTTP/2 exchange with no.",
    );
    expect(renderMessage(de, why, FORMATS)).toBe(
      "Nur 5 von 9 Bytes des Inhalts empfangen: shop.test hat den HTTP/2-Austausch mit no beendet.",
    );
    expect(renderMessage(zh, outage, FORMATS)).toBe(
      "Shop 自 2026-11-21T09:30:00.000Z 起发生故障。正文 9 字节中只收到 5 字节：shop.test 以 no 结束了 HTTP/2 交换。",
    );
  });

  test("whose parameter looks like a text of ours says it as it is", () => {
    expect(inEnglish(msg("assertion.missing", { text: "{where} {ended:word} $& constructor" }))).toBe(
      'The body does not contain "{where} {ended:word} $& constructor".',
    );
    expect(inEnglish({ code: "constructor" })).toBe("constructor");
    expect(inEnglish({ code: "timeout.text", params: { text: "{host}" } })).toBe("{host}");
  });

  test("keeps foreign text short, and without what a terminal would obey", () => {
    expect(msg("refused", { where: `a\u001b[31m\u202e${"b".repeat(999)}` }).params?.where).toMatch(
      /^a\ufffd\[31mb{490,}$/,
    );
    expect(excerpt("220 mail.test ESMTP ready\r\n")).toBe("220 mail.test ESMTP ready");
    expect(excerpt("HTTP/1.1 400 Bad Request\r\nConnection: close")).toBe(
      "HTTP/1.1 400 Bad Request Connection: close",
    );
    expect(excerpt("\u0000".repeat(100_000))).toBe(`${"\ufffd".repeat(80)}…`);
  });

  test("shows no part of a secret, wherever in it the end is of what is looked at", () => {
    for (let length = 2_000; length <= 4_096; length += 40) {
      const secret = `${"hush ".repeat(length).slice(1, length)}!`;
      expect(excerpt(secret.repeat(12), [secret]), `${length}`).not.toContain("hush");
    }
  });

  test("cuts no character in two, and keeps the joiners of emoji and of Persian", () => {
    fc.assert(
      fc.property(anyText(600), (text) => {
        expect([excerpt(text), msg("refused", { where: text }).params?.where].every(isWhole)).toBe(true);
      }),
    );
    expect(isWhole(excerpt(`${"a".repeat(79)}\u{1f600}`))).toBe(true);
    expect(isWhole(readStoredMessage(`${"a".repeat(79)}\ud83d`)?.params?.text)).toBe(true);
    const name = "\u{1f468}\u200d\u{1f469} \u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645";
    expect(msg("refused", { where: name }).params?.where).toBe(name);
  });

  test("that was a sentence is that sentence, of its class", () => {
    expect(readStoredMessage("It broke.", "timeout")).toEqual({
      code: "timeout.text",
      params: { text: "It broke." },
    });
    expect(readStoredMessage("It broke.")).toEqual({ code: "text", params: { text: "It broke." } });
    expect(readStoredMessage(null, "timeout")).toBeNull();
    expect(readStoredMessage(msg("internal.error"))).toEqual({ code: "internal.error" });
  });
});

test.each([
  [400, "1 second"],
  [30_000, "30 seconds"],
  [59_600, "59 seconds"],
  [90_000, "1 minute"],
  [3 * 3_600_000, "3 hours"],
  [9_360_000, "2 hours 36 minutes"],
  [29 * 3_600_000, "1 day 5 hours"],
  [12 * 86_400_000 + 3_600_000, "12 days"],
])("%i ms are %s to people who are written to", (ms, words) => {
  expect(formatsOf("en", "UTC").duration(ms)).toBe(words);
});

test("durations of two units, and names, are put together as the language does", () => {
  expect(formatsOf("de", "UTC").duration(9_360_000)).toBe("2 Stunden 36 Minuten");
  expect(formatsOf("zh", "UTC").duration(9_360_000)).toBe("2 小时 36 分钟");
  expect(listed(["Shop", "API", "Mail"], "en")).toBe("Shop, API, Mail");
  expect(listed(["Shop", "API"], "zh")).toBe("Shop、API");
});

describe("a sentence", () => {
  const said = (language: "de" | "zh", text: string, params: Record<string, string | number>) =>
    renderMessage({ one: text }, { code: "one", params } as never, formatsOf(language, "UTC"));
  const DAYS = 3 * 86_400_000;

  test.each([
    ["seit {for:duration} offline", "seit 3 Tagen offline"],
    ["wieder online, nach {for:duration}.", "wieder online, nach 3 Tagen."],
    ["{for:duration} lang", "3 Tage lang"],
    ["läuft ab, in {for:duration}.", "läuft ab, in 3 Tagen."],
  ])("in German has a length of time in its case: %s", (text, expected) => {
    expect(said("de", text, { for: DAYS })).toBe(expected);
  });

  test("in Chinese names the zone behind date and time, and not between them", () => {
    expect(said("zh", "自 {at:time} 起", { at: "2026-09-21T14:13:00Z" })).toBe(
      "自 2026年9月21日 14:13 UTC 起",
    );
  });

  test.each([
    ["将于{day:day}到期", { day: "2026-11-21" }, "将于 2026年11月21日到期"],
    ["使用{name}发送", { name: "Slack" }, "使用 Slack 发送"],
    ["使用 {name}，", { name: "Slack" }, "使用 Slack，"],
    ["以{name}身份", { name: "管理员" }, "以管理员身份"],
  ])("in Chinese has a space between a word of its own and a Latin one: %s", (text, params, expected) => {
    expect(said("zh", text, params as never)).toBe(expected);
  });

  test("calls a device with problems by no word that a full disk makes wrong", () => {
    for (const [code, text] of Object.entries(de)) expect(text, code).not.toMatch(/überlastet/i);
  });
});
