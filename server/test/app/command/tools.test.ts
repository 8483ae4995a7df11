import { describe, expect, it, onTestFinished } from "vitest";
import { type DnsRecord, startDnsTarget } from "../../harness/dns-target.ts";
import { runCommand } from "../../harness/process.ts";

async function nameServer(records: Record<string, DnsRecord>): Promise<string> {
  const dns = await startDnsTarget(records);
  onTestFinished(() => dns.close());
  return dns.server;
}

describe("vedette dns-lookup", () => {
  it("prints what it found as a table, or as JSON", async () => {
    const server = await nameServer({ "shop.example": { txt: ["v=spf1 -all\u001b[31m"], ttlSeconds: 120 } });
    const args = ["dns-lookup", "shop.example", "--record-type", "TXT", "--server", server];
    expect(await runCommand(args)).toMatchObject({
      code: 0,
      stdout: "Name          TTL  Type  Value\nshop.example  120  TXT   v=spf1 -all\ufffd[31m\n",
    });
    expect(JSON.parse((await runCommand([...args, "--json"])).stdout)).toMatchObject({
      domain: "shop.example",
      records: [{ type: "TXT", ttl: 120 }],
      total: 1,
    });
  });

  it("prints no JSON that a terminal would obey", async () => {
    const text = "\u009b31m \u202e \u{e0041} \u007f";
    const server = await nameServer({ "shop.example": { txt: [text] } });
    const { stdout } = await runCommand([
      "dns-lookup",
      "shop.example",
      "--record-type",
      "TXT",
      "--server",
      server,
      "--json",
    ]);
    expect(stdout).toContain(String.raw`"\u009b31m \u202e \udb40\udc41 \u007f"`);
    expect(JSON.parse(stdout).records[0].value).toBe(text);
  });

  it("says what it did not find", async () => {
    const server = await nameServer({ "shop.example": {} });
    const look = (name: string) => runCommand(["dns-lookup", name, "--server", server]);
    const said = (stdout: string) => ({ code: 0, stdout, stderr: "" });
    expect(await look("shop.example")).toEqual(said("shop.example has no such record.\n"));
    expect(await look("unknown.example")).toEqual(said("There is no name unknown.example (NXDOMAIN).\n"));
  });

  it("says what is wrong in one line", async () => {
    const server = await nameServer({ "broken.example": { behaviour: "servfail" } });
    const failed = await runCommand(["dns-lookup", "broken.example", "--server", server]);
    expect([failed.code, failed.stderr]).toEqual([
      1,
      "vedette: The name server 127.0.0.1 could not answer for broken.example: it found no answer (SERVFAIL).\n",
    ]);
    expect(await runCommand(["dns-lookup", "no name"])).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/^vedette: The domain field must be a domain name/),
    });
    expect((await runCommand(["dns-lookup", "a.example", "--record-type", "AXFR"])).stderr).toMatch(
      /^vedette: The selected record_type is/,
    );
  });
});
