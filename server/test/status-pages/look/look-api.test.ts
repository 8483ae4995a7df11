import { expect, test } from "vitest";
import { eachEngine } from "../../harness/stores.ts";
import { serve } from "../../monitors/domains/factories.ts";
import { makePage, PAGES } from "../factories.ts";
import { gifOf, pngOf, svgOf } from "./pictures.ts";

const USUAL = {
  theme: "auto",
  accent: null,
  footer: "",
  css: "",
  languages: [],
  logoUrl: null,
  contrast: null,
};

eachEngine("how a page looks", (engine) => {
  test("200: any part of it is set in either family, and the rest stays", async () => {
    const server = await serve({ engine });
    const page = await makePage(server, { appearance: { theme: "dark" } });
    const path = `${PAGES}/${page.id}`;
    const { status, body } = await server.api("PUT", path, {
      appearance: { accent: "#0B6E4F", languages: ["de"] },
    });
    expect([status, body.message, server.problems]).toEqual([200, expect.any(String), []]);
    const contrast = { light: 5.89, dark: 2.94 };
    expect(body.data.appearance).toEqual({
      ...{ ...USUAL, theme: "dark", accent: "#0b6e4f", languages: ["de"] },
      contrast: { light: expect.closeTo(contrast.light, 0), dark: expect.closeTo(contrast.dark, 0) },
    });
    const v2 = await server.api("PUT", `/v2/status-pages/${page.id}`, {
      appearance: { footer: " **Ours** ", css: "h1{color:red}", accent: null, theme: "light" },
    });
    expect(v2.body.data.appearance).toMatchObject({
      footer: "**Ours**",
      css: "h1{color:red}",
      logo_url: null,
    });
    const visited = await fetch(`${server.url}/status/${page.slug}`);
    const html = await visited.text();
    expect(html).toContain('<div class="own said"><p><strong>Ours</strong></p></div>');
    expect(html).toContain("<style>h1{color:red}</style>");
    expect(html).toContain('<html lang="de">');
    expect(html).not.toContain('class="langs"');
    expect(visited.headers.get("content-security-policy")).not.toContain("unsafe-inline");
    await server.api("PUT", path, { name: "Renamed" });
    expect((await server.api("GET", path)).body.data.appearance.css).toBe("h1{color:red}");
  });

  test("422: every line of a style sheet that is not allowed is named, and all else that is wrong", async () => {
    const server = await serve({ engine });
    const { id } = await makePage(server);
    const put = (appearance: object) => server.api("PUT", `${PAGES}/${id}`, { appearance });
    const css = 'a { color: red }\n@import "https://elsewhere.test";\nb { behavior: url(x) }';
    expect((await put({ css })).body.errors).toEqual({
      "appearance.css": [
        "Line 2: the rule @import is not allowed here.",
        "Line 3: the property behavior is not allowed here.",
      ],
    });
    const large = await put({ css: `/*${"é".repeat(9_000)}*/` });
    expect(large.body.errors["appearance.css"]).toEqual(["A style sheet has at most 16 kB."]);
    const wrong = await put({ accent: "red", theme: "pink", languages: ["fr"], footer: "a".repeat(2_001) });
    expect([wrong.status, Object.keys(wrong.body.errors).sort()]).toEqual([
      422,
      ["appearance.accent", "appearance.footer", "appearance.languages.0", "appearance.theme"],
    ]);
  });

  test("200, 404, 422: a logo is set, seen by visitors and removed again", async () => {
    const server = await serve({ engine });
    const page = await makePage(server);
    const path = `${PAGES}/${page.id}/logo`;
    const put = (data: Buffer) => server.api("PUT", path, { content: data.toString("base64") });
    const { body } = await put(pngOf(200, 50));
    const { logoUrl } = body.data.appearance;
    expect(logoUrl).toMatch(new RegExp(`^/status/${page.slug}/logo\\?v=[\\w-]{22}$`));
    const seen = await fetch(server.url + logoUrl);
    const { headers } = seen;
    expect(Buffer.from(await seen.arrayBuffer())).toEqual(pngOf(200, 50));
    expect(headers.get("content-type")).toBe("image/png");
    expect(headers.get("cache-control")).toBe("public, max-age=31536000, immutable");
    expect(headers.get("x-content-type-options")).toBe("nosniff");
    expect(headers.get("content-security-policy")).toMatch(/^default-src 'none';.*sandbox$/);
    const again = await fetch(server.url + logoUrl, {
      headers: { "if-none-match": String(headers.get("etag")) },
    });
    expect([again.status, await again.text()]).toEqual([304, ""]);
    for (const data of [Buffer.from("<script>"), svgOf("<script/>"), gifOf(9_999, 1)]) {
      const refused = await put(data);
      expect([refused.status, Object.keys(refused.body.errors)]).toEqual([422, ["content"]]);
    }
    expect((await server.api("PUT", path, { content: "a".repeat(400_000) })).status).toBe(413);
    expect((await server.api("PUT", path, { content: "§" })).status).toBe(422);
    const removed = await server.api("DELETE", `/v2/status-pages/${page.uuid}/logo`);
    expect(removed.body.data.appearance.logo_url).toBeNull();
  });

  test("404: the logo of a page for members is for no one else", async () => {
    const server = await serve({ engine });
    const page = await makePage(server, { isPublic: false });
    const content = gifOf(1, 1).toString("base64");
    const { body } = await server.api("PUT", `${PAGES}/${page.id}/logo`, { content });
    const address = server.url + body.data.appearance.logoUrl;
    expect((await fetch(address)).status).toBe(404);
    const own = await fetch(address, { headers: { authorization: `Bearer ${server.key}` } });
    expect([own.status, own.headers.get("cache-control")]).toEqual([200, "private, no-store"]);
  });
});
