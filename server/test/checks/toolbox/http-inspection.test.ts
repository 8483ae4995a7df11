import { describe, expect, it, onTestFinished } from "vitest";
import {
  inspectHttp,
  readSetCookies,
  securityHeaders,
} from "../../../src/checks/toolbox/web/inspect-http.ts";
import { type Behaviour, hang, redirect, reset, respond } from "../../harness/behaviours.ts";
import { runCommand } from "../../harness/process.ts";
import { startTestServer } from "../../harness/server.ts";
import { startHttpTarget, startTlsTarget } from "../../harness/targets.ts";
import { refusalOf, toolEnvironment } from "./run-tool.ts";

/** A site with an answer for each path. */
async function startSite(answers: Record<string, Behaviour>) {
  const site = await startHttpTarget({
    handler: (socket, request) => (answers[request.path] ?? respond({ status: 404 }))(socket, request),
  });
  onTestFinished(() => site.close());
  const environment = await toolEnvironment();
  return {
    site,
    environment,
    inspect: (path: string) => inspectHttp.run({ url: site.url.slice(0, -1) + path }, environment),
  };
}

const codesOf = ({ findings }: { findings: { fact: { code: string } | null }[] }) =>
  findings.map(({ fact }) => fact?.code);

describe("http-inspection", () => {
  it("shows each request on the way with its own times, and the last answer's headers", async () => {
    const { site, inspect } = await startSite({
      "/": redirect("/shop", 301),
      "/shop": respond({ body: "welcome", headers: { "x-served-by": "one\u0007" } }),
    });
    const found = await inspect("/");
    expect(found).toMatchObject({
      finalUrl: `${site.url}shop`,
      statusCode: 200,
      bodyBytes: 7,
      bodyCut: false,
    });
    expect(found.hops.map(({ url, statusCode, address }) => [url, statusCode, address])).toEqual([
      [site.url, 301, "127.0.0.1"],
      [`${site.url}shop`, 200, "127.0.0.1"],
    ]);
    for (const { connect, firstByte, total } of found.hops) {
      expect(total).toBeGreaterThanOrEqual((connect ?? 0) + (firstByte ?? 0));
    }
    expect(found.headers).toContainEqual({ name: "x-served-by", value: "one " });
    expect(site.connections()).toBe(2);
  });

  it("says what protects visitors and what is missing, the most severe first", async () => {
    const ca = await startTlsTarget({
      handler: respond({
        status: 503,
        headers: {
          "strict-transport-security": "max-age=3600",
          "content-security-policy": "default-src 'self'; frame-ancestors 'none'",
          "x-content-type-options": "nosniff",
          "referrer-policy": "no-referrer",
          server: "nginx/1.2.3",
          "set-cookie": "session=secret; Path=/; Secure; SameSite=Lax",
        },
      }),
    });
    onTestFinished(() => ca.close());
    const environment = await toolEnvironment({ localhost: ["127.0.0.1"] }, { ca: [ca.ca] });
    const found = await inspectHttp.run({ url: ca.url }, environment);
    expect(found.security.map(({ header, state }) => [header, state])).toEqual([
      ["strict-transport-security", "weak"],
      ["content-security-policy", "good"],
      ["x-content-type-options", "good"],
      ["x-frame-options", "good"],
      ["referrer-policy", "good"],
      ["permissions-policy", "missing"],
    ]);
    expect(codesOf(found)).toEqual([
      ...["tool.http_status", "tool.hsts_short", "tool.permissions_missing"],
      ...["tool.http_cookie", "tool.http_version_revealed"],
    ]);
    expect(found.cookies).toEqual([{ name: "session", isSecure: true, isHttpOnly: false, sameSite: "Lax" }]);
    expect(JSON.stringify(found)).not.toContain("secret");
    expect(inspectHttp.message?.(found)).toBe("The server answers with status 503.");
  });

  it("checks every redirect with the guard, and shows the way up to there", async () => {
    const { inspect } = await startSite({
      "/metadata": redirect("http://169.254.169.254/latest/"),
      "/loop": redirect("/loop"),
      "/nowhere": redirect("http://no-such-host.invalid/"),
    });
    const metadata = await inspect("/metadata");
    expect(metadata.hops.map(({ statusCode }) => statusCode)).toEqual([302, null]);
    expect(metadata.findings[0]).toMatchObject({ severity: "critical", fact: { code: "guard" } });
    expect(codesOf(await inspect("/loop"))[0]).toBe("redirect.loop");
    expect(codesOf(await inspect("/nowhere"))[0]).toBe("dns.missing");
  });

  it("says what happened where no answer comes", { timeout: 30_000 }, async () => {
    const { site, inspect, environment } = await startSite({ "/reset": reset, "/hang": hang });
    expect(await inspect("/reset")).toMatchObject({
      statusCode: null,
      findings: [{ fact: { code: "protocol.reset" } }],
    });
    const stop = new AbortController();
    const waiting = inspectHttp.run({ url: `${site.url}hang` }, { ...environment, signal: stop.signal });
    setTimeout(() => stop.abort(new Error("gone")), 50);
    await expect(waiting).rejects.toThrow("gone");
    await site.refuse();
    expect(await refusalOf(inspectHttp, { url: site.url }, environment)).toEqual([
      undefined,
      expect.stringContaining("refused the connection"),
    ]);
  });

  it("answers in both families, and names the field that it cannot work with", async () => {
    const { site } = await startSite({ "/": respond() });
    const server = await startTestServer({ engine: "sqlite" });
    onTestFinished(() => server.close());
    const { status, body } = await server.api("POST", "/v2/toolbox/http-inspection", {
      url: site.url,
      method: "HEAD",
    });
    expect([status, body.data.status_code, body.data.hops[0].status_code]).toEqual([200, 200, 200]);
    const urls = [
      "",
      "ftp://example.com",
      "http://",
      "no name",
      "http://169.254.169.254/",
      "a".repeat(10_000),
    ];
    for (const url of urls) {
      const answer = await server.api("POST", "/api/toolbox/http-inspection", { url });
      expect([url, answer.status, Object.keys(answer.body.errors ?? {})]).toEqual([url, 422, ["url"]]);
    }
    const { status: code, body: wrong } = await server.api("POST", "/api/toolbox/http-inspection", {
      url: site.url,
      method: "DELETE",
    });
    expect([code, Object.keys(wrong.errors)]).toEqual([422, ["method"]]);
  });
});

describe("what an answer says to protect visitors", () => {
  const verdicts = (headers: Record<string, string>, isEncrypted = true) =>
    Object.fromEntries(
      securityHeaders((name) => headers[name] ?? null, isEncrypted).map(({ header, state }) => [
        header,
        state,
      ]),
    );

  it("is evaluated by what the headers say, not by their being there", () => {
    expect(
      verdicts({
        "strict-transport-security": 'max-age="31536000"; includeSubDomains',
        "x-content-type-options": "sniff",
        "x-frame-options": "ALLOWALL",
        "referrer-policy": "unsafe-url",
      }),
    ).toEqual({
      "strict-transport-security": "good",
      "content-security-policy": "missing",
      "x-content-type-options": "weak",
      "x-frame-options": "weak",
      "referrer-policy": "weak",
      "permissions-policy": "missing",
    });
    expect(verdicts({ "strict-transport-security": "max-age=0" })["strict-transport-security"]).toBe("weak");
    expect(verdicts({}, false)).not.toHaveProperty("strict-transport-security");
  });

  it("reads cookies without their values", () => {
    expect(readSetCookies(["a=1; SECURE; HttpOnly; samesite = Strict", "b", ""])).toEqual([
      { name: "a", isSecure: true, isHttpOnly: true, sameSite: "Strict" },
      { name: "b", isSecure: false, isHttpOnly: false, sameSite: null },
      { name: "", isSecure: false, isHttpOnly: false, sameSite: null },
    ]);
  });
});

describe("vedette http-inspection", () => {
  it("prints where the time goes and what is missing", async () => {
    const { site } = await startSite({ "/": respond() });
    const { code, stdout } = await runCommand(["http-inspection", site.url]);
    expect([code, stdout]).toEqual([
      0,
      expect.stringMatching(/^Status +DNS +Connect[^]*200 +–[^]*! The page comes without encryption\./),
    ]);
  });
});
