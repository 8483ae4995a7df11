import { describe, expect, it } from "vitest";
import { readConfig } from "../../src/platform/config.ts";

describe("readConfig", () => {
  it("works with nothing set", () => {
    expect(readConfig({})).toMatchObject({
      host: "127.0.0.1",
      port: 8080,
      dataFolder: "./data",
      databaseUrl: null,
      targets: "all",
      defaultPlan: "expert",
      signup: "closed",
      rateLimits: true,
      workers: 1,
      referenceTargets: [],
    });
  });

  it("prefers a flag to the variable", () => {
    expect(readConfig({ VEDETTE_PORT: "9000" }, { port: "9001" }).port).toBe(9001);
  });

  it("counts an empty variable as unset", () => {
    expect(readConfig({ VEDETTE_PORT: "" }).port).toBe(8080);
  });

  it("takes an assistant's address, model and key together, and repeats no key", () => {
    const own = { VEDETTE_ASSISTANT_URL: "http://127.0.0.1:11434/v1/", VEDETTE_ASSISTANT_MODEL: "small-1" };
    expect(readConfig(own)).toMatchObject({
      assistantUrl: "http://127.0.0.1:11434/v1",
      assistantModel: "small-1",
      assistantKey: null,
    });
    expect(readConfig({ ...own, VEDETTE_ASSISTANT_KEY: " sk-1 " }).assistantKey).toBe("sk-1");
    for (const alone of Object.entries(own)) {
      expect(() => readConfig(Object.fromEntries([alone]))).toThrow(/^VEDETTE_ASSISTANT_URL [^\n]+$/);
    }
    expect(() => readConfig({ VEDETTE_ASSISTANT_KEY: "hush" })).toThrow(/^VEDETTE_ASSISTANT_URL (?!.*hush)/);
    const broken = { ...own, VEDETTE_ASSISTANT_KEY: "hush\nhush" };
    expect(() => readConfig(broken)).toThrow(/^VEDETTE_ASSISTANT_KEY (?!.*hush)/);
  });

  it("reads the mail server and whom mail is from", () => {
    expect(readConfig({}).smtp).toBeNull();
    const config = readConfig({
      SMTP_URL: "smtps://vedette%40example.org:p%25w@smtp.example.org?certificate=unverified",
      VEDETTE_MAIL_FROM: "Vedette, Berlin <watch@example.org>",
    });
    expect(config.smtp).toEqual({
      host: "smtp.example.org",
      port: 465,
      secure: true,
      startTls: "required",
      verify: false,
      auth: { user: "vedette@example.org", pass: "p%w" },
    });
    expect(config.mailFrom).toEqual({ name: "Vedette, Berlin", address: "watch@example.org" });
    expect(readConfig({ VEDETTE_MAIL_FROM: "watch@example.org" }).mailFrom?.name).toBe("Vedette");
  });

  it.each([
    [{}, null],
    [{ VEDETTE_PUBLIC_URL: "https://status.example.org:8443" }, "status.example.org"],
    [{ VEDETTE_PUBLIC_URL: "https://192.0.2.1" }, null],
    [{ VEDETTE_PUBLIC_URL: "https://[2001:db8::1]" }, null],
    [{ VEDETTE_PUBLIC_URL: "http://localhost:8080" }, null],
    [{ VEDETTE_PUBLIC_URL: "http://monitor:8080" }, null],
    [{ VEDETTE_PUBLIC_URL: "https://a.example", VEDETTE_EHLO_NAME: "Mail.b.example" }, "Mail.b.example"],
    [{ VEDETTE_EHLO_NAME: "[192.0.2.1]" }, "[192.0.2.1]"],
    [{ VEDETTE_EHLO_NAME: "[IPv6:2001:db8::1]" }, "[IPv6:2001:db8::1]"],
  ])("calls itself to mail servers as %j says: %s", (environment, name) => {
    const config = readConfig({ SMTP_URL: "smtp://mail.example.org", ...environment });
    expect([config.ehloName, config.smtp?.ehloName ?? null]).toEqual([name, name]);
  });

  it.each(["192.0.2.1", "a b", "a..b", "[192.0.2.300]", "[2001:db8::1]", "-a.example", "a\r\nMAIL FROM"])(
    "refuses the name %j for mail servers",
    (name) => {
      expect(() => readConfig({ VEDETTE_EHLO_NAME: name })).toThrow(/^VEDETTE_EHLO_NAME is neither a name/);
    },
  );

  it.each([
    ["smtp://mail.example.org", "offered"],
    ["smtp://user:pass@mail.example.org:25", "required"],
    ["smtp://user:pass@mail.example.org?starttls=never", "never"],
    ["smtp://user:pass@127.0.0.1", "offered"],
    ["smtp://user:pass@[::1]", "offered"],
    ["smtp://mail.example.org?starttls=required", "required"],
  ])("sends a password in the clear only where configured, or over loopback: %s", (SMTP_URL, startTls) => {
    expect(readConfig({ SMTP_URL }).smtp?.startTls).toBe(startTls);
  });

  it.each([
    ["SMTP_URL", "http://hush@mail.example.org"],
    ["SMTP_URL", "hush"],
    ["SMTP_URL", "smtp://user:hush@mail.example.org/path"],
    ["SMTP_URL", "smtp://user:hush@mail.example.org:0"],
    ["SMTP_URL", "smtp://user:hush%@mail.example.org"],
    ["SMTP_URL", "smtp://user:hush@mail.example.org?logger=true"],
    ["SMTP_URL", "smtp://user:hush@mail.example.org?starttls=perhaps"],
    ["VEDETTE_MAIL_FROM", "nobody"],
    ["VEDETTE_MAIL_FROM", "a@b.test, c@d.test"],
    ["VEDETTE_MAIL_FROM", "Vedette\r\nBcc: x@y.test <a@b.test>"],
  ])("refuses %s=%s in one line that shows no password", (variable, value) => {
    expect(() => readConfig({ [variable]: value })).toThrow(new RegExp(`^${variable} [^\\n]+$`));
    expect(() => readConfig({ [variable]: value })).not.toThrow(/hush/);
  });

  it("refuses an unknown VEDETTE_ variable and names the known ones", () => {
    expect(() => readConfig({ VEDETTE_PROT: "1" })).toThrow(/Unknown variable VEDETTE_PROT.*VEDETTE_PORT/);
  });

  it("leaves other programs' variables alone", () => {
    expect(() => readConfig({ HOME: "/nowhere", PORT: "x" })).not.toThrow();
  });

  it("limits checks to public targets once sign-up is open, by default", () => {
    expect(readConfig({ VEDETTE_SIGNUP: "open" }).targets).toBe("public");
    expect(readConfig({ VEDETTE_SIGNUP: "open", VEDETTE_TARGETS: "all" }).targets).toBe("all");
  });

  it.each([
    { VEDETTE_PUBLIC_URL: "https://status.example.com" },
    { VEDETTE_TRUSTED_PROXIES: "loopback" },
    { VEDETTE_HOST: "0.0.0.0" },
    { VEDETTE_HOST: "::" },
  ])("refuses metrics without a key where others than this machine reach the server: %o", (beside) => {
    expect(() => readConfig({ VEDETTE_METRICS: "loopback", ...beside })).toThrow(/^VEDETTE_METRICS [^\n]+$/);
    expect(readConfig(beside).metrics).toBe("key");
  });

  it.each([
    ["VEDETTE_PORT", "80a"],
    ["VEDETTE_PORT", "65536"],
    ["VEDETTE_WORKERS", "0"],
    ["VEDETTE_TARGETS", "private"],
    ["VEDETTE_DEFAULT_PLAN", "gold"],
    ["VEDETTE_RATE_LIMITS", "no"],
    ["VEDETTE_LOG_LEVEL", "loud"],
    ["DATABASE_URL", "mysql://x"],
    ["VEDETTE_PUBLIC_URL", "status.example.com"],
    ["VEDETTE_PUBLIC_URL", "https://ada:secret@status.example.com"],
    ["VEDETTE_PUBLIC_URL", "https://status.example.com/?a=b"],
    ["VEDETTE_PUBLIC_URL", "https://status.example.com/#a"],
    ["VEDETTE_SECRET_KEY", "hunter2"],
    ["VEDETTE_TRUSTED_PROXIES", "10.0.0.0/33"],
    ["VEDETTE_RESOLVERS", "one.example"],
    ["VEDETTE_REFERENCE_TARGETS", "192.0.2.1"],
  ])("refuses %s=%s in one line that names the variable", (name, value) => {
    expect(() => readConfig({ [name]: value })).toThrow(new RegExp(`^${name} [^\n]+$`));
  });

  it.each([
    ["VEDETTE_TRUSTED_PROXIES", "loopback,10.0.0.0/8", { trustedProxies: ["loopback", "10.0.0.0/8"] }],
    ["VEDETTE_RESOLVERS", "192.0.2.1,[2001:db8::1]:53", { resolvers: ["192.0.2.1", "[2001:db8::1]:53"] }],
    ["VEDETTE_REFERENCE_TARGETS", "off", { referenceTargets: ["off"] }],
    ["VEDETTE_REFERENCE_TARGETS", "192.0.2.1:443", { referenceTargets: ["192.0.2.1:443"] }],
    ["VEDETTE_PUBLIC_URL", "https://status.example.com/", { publicUrl: "https://status.example.com" }],
    ["VEDETTE_RATE_LIMITS", "off", { rateLimits: false }],
    ["VEDETTE_METRICS", "loopback", { metrics: "loopback" }],
  ])("reads %s=%s", (name, value, expected) => {
    expect(readConfig({ [name]: value })).toMatchObject(expected);
  });

  it.each(["hex", "base64"] as const)("reads the secret key in %s", (form) => {
    const key = Buffer.alloc(32, 7);
    expect(readConfig({ VEDETTE_SECRET_KEY: key.toString(form) }).secretKey).toEqual(key);
  });
});
