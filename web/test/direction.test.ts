import { describe, expect, onTestFinished, test, vi } from "vitest";
import { directionOf, isolated } from "../src/i18n/direction.ts";
import { i18n, startTranslations } from "../src/i18n/i18n.ts";
import { formatMessage } from "../src/i18n/messages.ts";

const shop = "متجر الكتب";

describe("a name that is written from right to left", () => {
  test("is isolated in a sentence, so that the words around it stay in their order", () => {
    const texts = { "incident.outage": "{name} is down" };
    const message = { code: "incident.outage", params: { name: shop } };
    const said = formatMessage(texts, { sentence: "", message }, "en");
    expect(said).toBe(`\u2068${shop}\u2069 is down`);
    expect([directionOf(said), directionOf(shop), directionOf("Shop")]).toEqual(["ltr", "rtl", "ltr"]);
  });

  test("leaves other names as they are", () => {
    expect(isolated("Shop & <b>Café</b> 商店")).toBe("Shop & <b>Café</b> 商店");
  });

  test("is isolated by the app's own texts as well", async () => {
    vi.stubGlobal("document", { documentElement: {} });
    onTestFinished(() => void vi.unstubAllGlobals());
    await startTranslations();
    expect(i18n.t("notification.down", { name: shop })).toBe(`\u2068${shop}\u2069 went down.`);
    expect(i18n.t("notification.down", { name: "<b>" })).toBe("<b> went down.");
  });
});

describe("in Chinese", () => {
  test.each([
    ["移除{{label}}", { label: "Slack" }, "移除 Slack"],
    ["移除{{label}}", { label: "标签" }, "移除标签"],
    ["按{{column}}排序", { column: "CPU" }, "按 CPU 排序"],
    ["按{{column}}排序", { column: "名称" }, "按名称排序"],
    ["已有{{count, number}}项", { count: 1234 }, "已有 1,234 项"],
    ["使用 {{name}}，", { name: "Slack" }, "使用 Slack，"],
    ["每月{{nth}}{{day}}", { nth: "B", day: "C" }, "每月 BC"],
    ["名称{{name}}", { name: "商店Shop" }, "名称商店Shop"],
    ["移除{{label}}", { label: "\uFDD1商店\uFDD0" }, "移除商店"],
    ["移除{{label}}", { label: shop }, `移除\u2068${shop}\u2069`],
  ])("a slot has a space where its value is Latin: %s %j", async (text, values, expected) => {
    vi.stubGlobal("document", { documentElement: {} });
    onTestFinished(() => void vi.unstubAllGlobals());
    await startTranslations();
    i18n.addResourceBundle("zh", "slots", { text });
    onTestFinished(() => void i18n.removeResourceBundle("zh", "slots"));
    expect(i18n.t("slots:text" as never, { ...values, lng: "zh" })).toBe(expected);
  });
});
