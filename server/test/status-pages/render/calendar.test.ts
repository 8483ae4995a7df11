import ICAL from "ical.js";
import { describe, expect, test } from "vitest";
import { LANGUAGES } from "../../../src/platform/i18n/render.ts";
import type { PublicPage } from "../../../src/status-pages/document/public-page.ts";
import { HOSTILE, hostilePage, textAt } from "./machine-renderings.ts";
import { NOW, publicPage, SCENES } from "./public-pages.ts";

/** Properties whose value is a TEXT, and what such a value is (RFC 5545, 3.3.11). Readers forgive more than that. */
const TEXTS = /^(?:NAME|X-WR-CALNAME|SUMMARY|DESCRIPTION):/;
const ESCAPED = /^[A-Z-]+:(?:[^\\;,]|\\[\\;,n])*$/;

function parsed(page: PublicPage, options: Parameters<typeof textAt>[2] = {}) {
  const calendar = new ICAL.Component(ICAL.parse(textAt(page, "/maintenance.ics", options)));
  const events = calendar.getAllSubcomponents("vevent").map((one) => new ICAL.Event(one));
  return { calendar, events };
}

describe("the calendar of a status page's maintenance", () => {
  test("has an event for each time, which other programs read as it was meant", () => {
    const page = SCENES.maintenance();
    const { calendar, events } = parsed(page);
    expect(calendar.getFirstPropertyValue("version")).toBe("2.0");
    expect(calendar.getFirstPropertyValue("prodid")).toMatch(/^-\/\//);
    expect(events).toHaveLength(page.maintenance.length);
    for (const [at, event] of events.entries()) {
      const one = page.maintenance[at]!;
      expect(event.uid).toBe(one.uuid);
      expect(event.summary).toBe(`Maintenance: ${one.title as string}`);
      expect(event.startDate.toJSDate().getTime()).toBe(Math.floor(one.startsAt / 1000) * 1000);
      expect(event.endDate.toJSDate().getTime()).toBe(Math.floor(one.endsAt / 1000) * 1000);
      expect(event.isRecurring()).toBe(false);
      expect(event.component.getFirstPropertyValue("url")).toBe("https://status.northwind.test");
      expect(event.component.getFirstProperty("dtstamp")!.toICALString()).toMatch(/:\d{8}T\d{6}Z$/);
    }
    expect(events[0]!.description).toBe(
      "Search answers, but new products appear up to an hour later.\n\nAffects Search",
    );
  });

  test("keeps to the form of RFC 5545 in every language: lines of 75 octets, ends of lines, characters", () => {
    for (const page of [
      SCENES.maintenance(),
      SCENES.empty(),
      hostilePage(),
      withTitle("部署新的搜索服务器".repeat(20)),
    ]) {
      for (const language of LANGUAGES) {
        const text = textAt(page, "/maintenance.ics", { language });
        expect(text.endsWith("END:VCALENDAR\r\n")).toBe(true);
        for (const line of text.slice(0, -2).split("\r\n")) {
          expect(Buffer.byteLength(line), line).toBeLessThanOrEqual(75);
          expect(line).not.toMatch(/[\u0000-\u001f\u007f]/);
          expect(line.isWellFormed()).toBe(true);
        }
        for (const line of text.replaceAll("\r\n ", "").split("\r\n")) {
          if (TEXTS.test(line)) expect(line).toMatch(ESCAPED);
        }
        parsed(page, { language });
      }
    }
  });

  test("takes what people wrote for text, whatever it looks like", () => {
    const { calendar, events } = parsed(hostilePage());
    expect(events).toHaveLength(1);
    expect(
      calendar
        .getAllProperties()
        .map(({ name }) => name)
        .toSorted(),
    ).not.toContain("x-evil");
    const shown = HOSTILE.toWellFormed()
      .replaceAll("\r\n", "\n")
      .replaceAll(/[\u0000\u0007\u001b]/g, " ");
    expect(events[0]!.summary).toBe(`Maintenance: ${shown}`);
    expect(events[0]!.description).toContain(shown);
  });

  test("is a calendar without events where nothing is planned", () => {
    expect(parsed(SCENES.empty()).events).toEqual([]);
  });
});

const withTitle = (title: string): PublicPage =>
  publicPage({
    maintenance: [
      {
        uuid: crypto.randomUUID(),
        title,
        description: "",
        startsAt: NOW,
        endsAt: NOW + 60_000,
        updatedAt: NOW,
        isRunning: true,
        components: [],
      },
    ],
  });
