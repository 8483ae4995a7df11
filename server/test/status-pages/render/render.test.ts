import { HtmlValidate } from "html-validate";
import { describe, expect, test } from "vitest";
import { html, trusted } from "../../../src/platform/formats/html.ts";
import { LANGUAGES } from "../../../src/platform/i18n/render.ts";
import type { PublicComponent, PublicPage } from "../../../src/status-pages/document/public-page.ts";
import { RENDERINGS } from "../../../src/status-pages/render/renderings.ts";
import { component, group, incident, NOW, pageThatSays, publicPage, SCENES } from "./public-pages.ts";
import { visitorPages } from "./visitor-pages.ts";

const validator = new HtmlValidate({
  extends: ["html-validate:recommended"],
  rules: {
    // Names of people's own making, up to 255 characters.
    "long-title": "off",
    // A page's first paint needs one request: its style is in it.
    "no-inline-style": "error",
    "require-csp-nonce": "off",
  },
});

/** Nothing but what the page brings along and this server has. */
const STRICT =
  /^default-src 'none'; style-src 'sha256-[^ ]+'; img-src 'self' data:; script-src 'self'; connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'$/;

const OPTIONS = {
  ...({ base: "/status/northwind", language: "en", isChosen: false, isOld: false } as const),
  offered: ["email", "webhook", "slack"],
} as const;

/** What a page's rendering at a path says; `more` is how it is requested. */
function render(page: PublicPage, path = "", more: object = {}, query: Record<string, string> = {}): string {
  const rendering = RENDERINGS.find((one) => one.path === path);
  const rendered = rendering?.render(page, { ...OPTIONS, ...more }, query);
  if (!rendered) throw new Error(`nothing at ${path}`);
  return rendered.body;
}

/** Every document that a page has, as path and HTML. */
function documentsOf(page: PublicPage, more: object): [string, string][] {
  const incidents = [...page.incidents, ...page.history].map(({ uuid }) => ({ uuid }));
  const query = {
    "/incidents/:uuid": incidents,
    "/history/:month": [{ month: "2026-11" }, { month: "2026-09" }],
  };
  return RENDERINGS.filter(({ isDocument }) => isDocument).flatMap(({ path }) =>
    (query[path as keyof typeof query] ?? [{}]).map((one): [string, string] => [
      path,
      render(page, path, more, one),
    ]),
  );
}

async function problemsOf(text: string): Promise<string[]> {
  const { results } = await validator.validateString(text);
  return results.flatMap(({ messages }) =>
    messages.map(
      ({ ruleId, message, offset }) => `${ruleId}: ${message} at ${text.slice(offset - 30, offset + 60)}`,
    ),
  );
}

describe("the HTML of a status page", () => {
  test.each(Object.entries(SCENES))(
    "is valid: %s, in every language and theme, new and old",
    async (_scene, make) => {
      for (const language of LANGUAGES) {
        for (const [path, text] of documentsOf(make(), {
          language,
          isChosen: language === "de",
          isOld: language === "zh",
        })) {
          expect(await problemsOf(text), `${path} in ${language}`).toEqual([]);
        }
      }
    },
  );

  test.each(LANGUAGES)("is valid where something is for one visitor alone, in %s", async (language) => {
    for (const [name, { body, headers }] of Object.entries(visitorPages(language))) {
      expect(await problemsOf(body), name).toEqual([]);
      expect(body).toContain(`<html lang="${language}">`);
      expect(body, name).not.toMatch(/<script|<[^>]+\s(?:style|on\w+)=/i);
      expect(headers["content-security-policy"], name).toMatch(STRICT);
    }
  });

  test("stays below 60 kB with 50 components, each with days, uptime and response times", () => {
    for (const language of LANGUAGES) {
      expect(Buffer.byteLength(render(SCENES.many(), "", { language })), language).toBeLessThan(60_000);
    }
  });

  test("has no style and no script of an element's own, which its policy would forbid", () => {
    for (const make of Object.values(SCENES)) {
      for (const [path, text] of documentsOf(make(), {})) {
        expect(text).not.toMatch(/<[^>]+\s(?:style|on\w+)=/i);
        const live = expect.stringMatching(/ src="\/status\/northwind\/live\.js\?v=/);
        // A form that is being filled in is not refreshed.
        expect(text.match(/<script[^>]*>/g) ?? []).toEqual(path === "/subscribe" ? [] : [live]);
      }
    }
  });
});

describe("a status page says", () => {
  test("the overall status, what is known, and what is affected", () => {
    const text = render(SCENES.outage());
    expect(text).toContain('<strong role="status">Partial outage</strong>');
    expect(text).toContain("Payments fail</a>");
    expect(text).toContain("Affects Checkout");
    expect(text).toContain("<b>Identified</b>");
    expect(text).toContain('href="https://status.payments.test/incidents/42"');
  });

  test("the same in the visitor's language, which its links keep once it was chosen", () => {
    const german = render(SCENES.outage(), "", { language: "de", isChosen: true });
    expect(german).toContain('<html lang="de">');
    expect(german).toContain("Teilausfall");
    expect(german).toMatch(/href="\/status\/northwind\/incidents\/[\w-]+\?lang=de"/);
    expect(render(SCENES.outage(), "", { language: "zh" })).toContain("部分服务中断");
    expect(render(SCENES.outage(), "", { language: "zh" })).not.toMatch(/href="[^"]*lang=zh"(?! lang)/);
  });

  test("what happened on a day, within that day and in the page's time zone", () => {
    const days = [
      { date: "2026-11-21", status: "outage", uptime: 99.9 },
      { date: "2026-11-22", status: "outage", uptime: 80 },
      { date: "2026-11-23", status: "outage", uptime: 90 },
    ] as const;
    const from = Date.parse("2026-11-21T22:30:00Z");
    const to = Date.parse("2026-11-22T22:40:00Z");
    const shop = component("Shop", {
      days: days.map((day, at) => ({
        ...day,
        outages: at === 2 ? [{ from: NOW, to: null }] : [{ from, to }],
      })),
    });
    const text = render(publicPage({ timeZone: "Europe/Berlin", groups: [group(null, [shop])] }));
    expect(text).toContain("<b>Nov 21</b><i>Outage 23:30 to 24:00</i>");
    expect(text).toContain("<b>Nov 22</b><i>Outage 00:00 to 23:40</i>");
    expect(text).toContain("<b>Nov 23</b><i>Outage since 10:30</i>");
    expect(text).toContain('aria-label="3 days with problems in the last 3."');
    expect(text).toMatch(/class="warn d87 r".*class="bad d88 r".*class="bad d89 r"/);
  });

  test("no outages of days in which nothing was known, which is said", () => {
    const day = { status: "no_data" as const, uptime: null };
    const days = ["2026-11-22", "2026-11-23"].map((date) => ({ ...day, date, outages: [] }));
    const labelOf = (of: NonNullable<PublicComponent["days"]>) => {
      const shop = component("Shop", { days: of });
      const text = render(publicPage({ groups: [group(null, [shop])] }));
      return /viewBox="0 0 90 1"[^>]* aria-label="([^"]*)"/.exec(text)?.[1];
    };
    expect(labelOf(days)).toBe("No data");
    const known = { date: "2026-11-23", status: "operational" as const, uptime: 100, outages: [] };
    expect(labelOf([...days.slice(0, 1), known])).toMatch(/^No outages/);
  });

  test("of which time an uptime is, and no percentage of less than a day", () => {
    const says = (measuredSince: number | null, language = "en") => {
      const shop = component("Shop", { uptime: 36.99, measuredSince });
      return render(publicPage({ groups: [group(null, [shop])] }), "", { language });
    };
    const [MINUTE_MS, DAY_MS] = [60_000, 86_400_000];
    expect(says(null)).toContain("<span>36.99% uptime in 90 days</span>");
    expect(says(NOW - DAY_MS)).toContain("<span>36.99% uptime since Nov 22</span>");
    expect(says(NOW - DAY_MS + MINUTE_MS)).toContain("<span>Measured since Nov 22, 09:31 UTC</span>");
    expect(says(NOW - 10 * MINUTE_MS)).toContain("<span>Measured since 09:20</span>");
    expect(says(NOW - 10 * MINUTE_MS)).not.toContain("36.99");
    expect(says(NOW - 10 * MINUTE_MS, "de")).toContain("Gemessen seit 09:20");
    expect(says(NOW - 10 * MINUTE_MS, "zh")).toContain("自 09:20 起开始统计");
  });

  test("of 90 days, and of the last 30 where they would be too narrow to be hit", () => {
    const text = render(SCENES.green());
    expect(text).toContain("<i>30 days ago</i><span>90 days ago</span>");
    expect(text).toMatch(/@media\(max-width:600px\)\{\.d60\{left:0\.00%\}\.d61\{left:3\.33%\}/);
  });

  test("of an outage without updates what its title and times do not, and all of it at its own address", () => {
    const params = { name: "Shop" };
    const shop = { uuid: "s", name: "Shop" };
    const went = {
      uuid: "u",
      at: NOW,
      status: "open",
      text: { code: "automatic.went_down", params },
    } as const;
    const outage = incident({ code: "automatic.down", params }, { components: [shop], updates: [went] });
    const page = publicPage({ incidents: [outage] });
    const text = render(page);
    expect(text).toContain("Shop is not available</a>");
    expect(text).not.toMatch(/Shop is not available\.|Affects Shop/);
    expect(render(page, "/incidents/:uuid", {}, { uuid: outage.uuid })).toContain("Shop is not available.");
    const written = { ...went, uuid: "w", text: "We are looking into it." };
    const reported = render(publicPage({ incidents: [{ ...outage, updates: [written, went] }] }));
    expect(reported).toContain("We are looking into it.");
    const two = { ...outage, components: [shop, { uuid: "d", name: "Database" }] };
    expect(render(publicPage({ incidents: [two] }))).toContain("Affects Shop and Database");
  });

  test("that it is old, when newer information cannot be had", () => {
    expect(render(SCENES.green(), "", { isOld: true })).toContain(
      "This was the status at Nov 23, 09:30 UTC. Newer information is not available right now.",
    );
    // An open page has the words, for the time when it gets no answer.
    expect(render(SCENES.green())).toMatch(/<main data-old="[^"<>]+Newer information[^"<>]+">/);
    expect(render(SCENES.green())).not.toContain('class="old');
  });

  test("the incidents of each month that began in it, and leads to the months beside it", () => {
    const page = SCENES.green();
    const november = render(page, "/history");
    expect(november).toContain("Slow searches");
    expect(november).not.toContain("Delayed e-mail");
    expect(november).toContain('href="/status/northwind/history/2026-10">Older: October 2026</a>');
    const october = render(page, "/history/:month", {}, { month: "2026-10" });
    expect(october).toContain("Delayed e-mail");
    expect(october).toContain("Newer: November 2026");
    for (const month of ["2026-12", "2026-01", "nonsense", "__proto__"]) {
      expect(() => render(page, "/history/:month", {}, { month })).toThrow("nothing at");
    }
    expect(() => render(page, "/incidents/:uuid", {}, { uuid: "constructor" })).toThrow("nothing at");
  });

  test("that nothing else happened lately where an incident is open", () => {
    const open = publicPage({ incidents: [incident("Payments fail")] });
    expect(render(publicPage())).toContain("No incidents in the last 14 days.");
    expect(render(open)).toContain("No other incidents in the last 14 days.");
    expect(render(open, "", { language: "de" })).toContain("Keine weiteren Vorfälle");
    expect(render(open, "", { language: "zh" })).toContain("没有其他故障");
  });

  test("the whole last update of an incident in the lists of what is over, not its first paragraph alone", () => {
    const updates = [{ uuid: "u", at: NOW, status: "resolved", text: "All is well.\n\nAlles läuft wieder." }];
    const over = incident("Payments failed", { status: "resolved", resolvedAt: NOW, updates });
    const page = publicPage({ history: [over] });
    for (const path of ["", "/history"]) expect(render(page, path)).toContain("<p>Alles läuft wieder.</p>");
  });

  test("how far the work was when the last was said of what is over by now, where that was before its end", () => {
    const lineOf = (status: "investigating" | "resolved") => {
      const updates = [{ uuid: "u", at: NOW, status, text: "We look for it." }];
      return render(
        publicPage({
          history: [incident("Payments failed", { status: "resolved", resolvedAt: NOW, updates })],
        }),
      );
    };
    expect(lineOf("investigating")).toMatch(/<p class="meta">Investigating · <time[^>]*>[^<]*<\/time><\/p>/);
    expect(lineOf("resolved")).not.toMatch(/<p class="meta">\w+ · <time[^>]*>[^<]*<\/time><\/p>/);
  });

  test("a group as partly out of which some works", () => {
    const page = publicPage({
      groups: [group("Shop", [component("Cart", { status: "outage" }), component("Search")])],
    });
    expect(render(page)).toContain('<h3>Shop</h3><span class="st warn">Partial outage</span>');
  });

  test("the next five times of maintenance, and the others folded", async () => {
    const ahead = Array.from({ length: 9 }, (_, at) => ({
      ...{ uuid: `w-${at}`, title: `Work ${at}`, description: "", isRunning: false, components: [] },
      ...{ startsAt: NOW + at * 86_400_000, endsAt: NOW + at * 86_400_000 + 3_600_000, updatedAt: NOW },
    }));
    const whole = render(publicPage({ maintenance: ahead }));
    expect(await problemsOf(whole)).toEqual([]);
    const [shown = "", folded = ""] = whole.split('id="ahead"');
    expect(shown.match(/Work \d/g)).toEqual(["Work 0", "Work 1", "Work 2", "Work 3", "Work 4"]);
    expect(folded).toContain("Show 4 more");
    expect(folded.match(/Work \d/g)).toEqual(["Work 5", "Work 6", "Work 7", "Work 8"]);
    expect(render(publicPage({ maintenance: ahead.slice(0, 6) }))).not.toContain('id="ahead"');
  });

  test("maintenance without a title in each reader's words", () => {
    const window = {
      ...{ uuid: "w", title: { code: "maintenance.untitled" as const }, description: "", isRunning: true },
      ...{ startsAt: NOW, endsAt: NOW + 3_600_000, updatedAt: NOW, components: [] },
    };
    const page = publicPage({ maintenance: [window] });
    expect(render(page)).toContain("<h3>Maintenance work</h3>");
    expect(render(page, "", { language: "de" })).toContain("<h3>Wartungsarbeiten</h3>");
    for (const path of ["/feed.atom", "/maintenance.ics"]) {
      expect(render(page, path, { language: "zh" })).toContain("系统维护");
    }
  });

  test("a folded group unfolded while something in it does not work", () => {
    const page = (status: "operational" | "outage") =>
      render(publicPage({ groups: [group("Shop", [component("Cart", { status })], { isCollapsed: true })] }));
    expect(page("operational")).not.toContain(" open>");
    expect(page("outage")).toContain(" open>");
  });
});

describe("what people wrote", () => {
  const HOSTILE = `"><script>alert(1)</script><img src=x onerror=alert(1)>'</style></title>&amp;\u0000\ud800`;

  test("never becomes markup, at any place", async () => {
    const page = pageThatSays(HOSTILE, {
      update: `${HOSTILE}\n\nhttps://x.test/${HOSTILE}`,
      appearance: { accent: `red}${HOSTILE}`, logo: HOSTILE, css: `a{}${HOSTILE}` },
    });
    for (const [path, text] of documentsOf(page, {})) {
      expect(text.match(/<script/g) ?? []).toHaveLength(path === "/subscribe" ? 0 : 1);
      expect(text).not.toMatch(/<img src=x/);
      expect(text.match(/<\/style>/g)).toHaveLength(2);
      expect(text.match(/<\/title>/g)).toHaveLength(1);
      expect(text).not.toContain("\u0000");
      expect(text.isWellFormed()).toBe(true);
    }
  });

  test("never becomes markup on the pages that are for one visitor alone", () => {
    const of = { address: HOSTILE, page: HOSTILE, pageUrl: `https://status.test/${HOSTILE}` };
    for (const [name, { body }] of Object.entries(visitorPages("en", of))) {
      expect(body, name).not.toMatch(/<script|<img/);
      expect(body.match(/<\/style>/g), name).toHaveLength(1);
      expect(body.match(/<\/title>/g), name).toHaveLength(1);
      expect(body.isWellFormed() && !body.includes("\u0000"), name).toBe(true);
    }
  });

  test("keeps its paragraphs, lines and addresses", () => {
    const update = {
      uuid: "1",
      at: NOW,
      status: "open",
      text: "One\ntwo (https://a.test/x?y=1&z=2).\n\n\nThree javascript:alert(1)",
    };
    const page = publicPage({ incidents: [incident("Slow", { updates: [update] })] });
    expect(render(page)).toContain(
      '<p>One<br>two (<a href="https://a.test/x?y=1&amp;z=2" rel="nofollow noopener noreferrer ugc">https://a.test/x?y=1&amp;z=2</a>).</p><p>Three javascript:alert(1)</p>',
    );
  });
});

test("a template escapes texts, joins lists and leaves nothing out but what is not there", () => {
  const list = ["<", trusted("<b>"), [html`<i>${"'"}</i>`]];
  expect(html`<p title="${'"'}">${list}${null}${undefined}${false}${0}</p>`.text).toBe(
    '<p title="&quot;">&lt;<b><i>&#39;</i>0</p>',
  );
});
