import { describe, expect, test } from "vitest";
import { fetchPage, PageError } from "../../../src/checks/site/page.ts";
import { iconCandidates, pageTitle, searchIcon } from "../../../src/checks/site/page-search.ts";
import * as behaviours from "../../harness/behaviours.ts";
import { makeNetwork, startHttpTarget, startTlsTarget } from "../factories.ts";

const LIMITS = { maxBytes: 1000, timeoutMs: 2000 };

describe("fetching a page", () => {
  test("follows redirects, undoes compression, and gives headers and body", async () => {
    const target = await startHttpTarget();
    target.set((socket, request) =>
      (request.path === "/"
        ? behaviours.redirect("/home")
        : behaviours.compressed("gzip", "<title>x</title>"))(socket, request),
    );
    const page = await fetchPage(target.url, await makeNetwork(), { ...LIMITS, accept: "text/html" });
    expect(page).toMatchObject({ url: `${target.url}home`, statusCode: 200, cut: false });
    expect(page.headers.get("content-encoding")).toBe("gzip");
    expect(page.body.toString()).toBe("<title>x</title>");
    expect(target.requests[1]?.headers.accept).toBe("text/html");
  });

  test("stops at the number of bytes that was requested", async () => {
    const target = await startHttpTarget({ handler: behaviours.endlessBody });
    const page = await fetchPage(target.url, await makeNetwork(), LIMITS);
    expect([page.body.length, page.cut]).toEqual([1000, true]);
  });

  test("is guarded at every hop, wants valid certificates, and ends on time", async () => {
    const target = await startHttpTarget({ handler: behaviours.redirect("http://169.254.169.254/") });
    const network = await makeNetwork();
    await expect(fetchPage(target.url, network, LIMITS)).rejects.toMatchObject({
      message: expect.stringMatching(/^guard\b/),
    });
    const secure = await startTlsTarget({ certificate: "expired" });
    await expect(fetchPage(secure.url, network, LIMITS)).rejects.toMatchObject({
      message: expect.stringMatching(/^certificate\b/),
    });
    target.set(behaviours.hang);
    const hanging = fetchPage(target.url, network, { ...LIMITS, timeoutMs: 100 });
    await expect(hanging).rejects.toMatchObject({ message: expect.stringMatching(/^timeout\b/) });
    await expect(fetchPage("ftp://x.test", network, LIMITS)).rejects.toThrow(PageError);
  });
});

test("an icon's search takes no fault of ours for a site without one", async () => {
  const { resolver, ...network } = await makeNetwork();
  const faulty = {
    ...resolver,
    resolve: () => {
      throw new TypeError("ours");
    },
  };
  const signal = { isStopped: false, listener: null };
  const searching = searchIcon("http://shop.test/", { ...network, resolver: faulty }, signal);
  await expect(searching).rejects.toThrow("ours");
});

describe("titles", () => {
  const title = (html: string | Buffer, contentType: string | undefined = "text/html") =>
    pageTitle(Buffer.from(html as string), contentType);

  test("entities are decoded, white space collapsed", () => {
    expect(title("<html><title>\n  A &amp; B &eacute;\t&#x1F600;\n </title>")).toBe("A & B é 😀");
  });

  test("the charset comes from the mark, the header or the page itself", () => {
    const latin = Buffer.from("<meta charset=iso-8859-1><title>caf\xe9</title>", "latin1");
    expect(title(latin)).toBe("café");
    expect(title(Buffer.from("<title>caf\xe9</title>", "latin1"), "text/html; charset=windows-1252")).toBe(
      "café",
    );
    expect(title(Buffer.from("\ufeff<title>café</title>", "utf16le"), "text/html; charset=utf-8")).toBe(
      "café",
    );
    const old =
      '<meta http-equiv="Content-Type" content="text/html; charset=shift_jis"><title>\x83\x65</title>';
    expect(title(Buffer.from(old, "latin1"))).toBe("テ");
    expect(title("<meta charset=nonsense><title>x</title>")).toBe("x");
    const xml = Buffer.from("<?xml version='1.0' encoding='gbk'?><title>\xb5\xc7\xc2\xbc</title>", "latin1");
    expect(title(xml, "application/xhtml+xml")).toBe("登录");
  });

  test("og:title replaces it, a drawing's title does not", () => {
    expect(title('<meta property="og:title" content="From &quot;OG&quot;"><title> </title>')).toBe(
      'From "OG"',
    );
    expect(title("<svg><title>icon</title></svg><title>Page</title><title>two</title>")).toBe("Page");
    expect(title("<svg><title>icon</title></svg>")).toBeNull();
  });

  test("a long one is cut to 300 characters, none is null, and other types have none", () => {
    expect(Array.from(title(`<title>${"é".repeat(5000)}</title>`) ?? "")).toHaveLength(300);
    expect(title("<p>hello")).toBeNull();
    expect(title("")).toBeNull();
    expect(title("<title>x</title>", "image/png")).toBeNull();
    expect(pageTitle(Buffer.from("<title>x</title>"), undefined)).toBe("x");
  });
});

describe("icons", () => {
  test("the best size first, touch icons late, the usual place last", () => {
    const html = `
      <link rel="apple-touch-icon" href="touch.png">
      <link rel="shortcut icon" href="/old.ico">
      <LINK REL="icon" sizes="16x16" href="small.png">
      <link rel="icon" sizes="64x64 128x128" href="//cdn.test/big.png">
      <link rel="icon" type="image/svg+xml" href="v.svg">
      <link rel="stylesheet" href="no.css"><link rel="icon" href="data:image/png,x"><link rel="icon">`;
    expect(iconCandidates(Buffer.from(html), "https://a.test/x/")).toEqual([
      "https://a.test/x/v.svg",
      "https://cdn.test/big.png",
      "https://a.test/x/small.png",
      "https://a.test/old.ico",
      "https://a.test/x/touch.png",
      "https://a.test/favicon.ico",
    ]);
  });

  test("a base element counts; a page without links has the usual place; nonsense has none", () => {
    const html = '<base href="https://b.test/deep/"><link rel=icon href=i.png>';
    expect(iconCandidates(Buffer.from(html), "https://a.test/")[0]).toBe("https://b.test/deep/i.png");
    expect(iconCandidates(Buffer.from(""), "https://a.test/p?q")).toEqual(["https://a.test/favicon.ico"]);
    expect(iconCandidates(Buffer.from(""), "nonsense")).toEqual([]);
  });
});
