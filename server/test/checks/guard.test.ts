import { describe, expect, test } from "vitest";
import { assertAllowed, GuardError, type TargetPolicy } from "../../src/checks/guard.ts";
import { inEnglish } from "../../src/platform/i18n/english.ts";

const refused = (address: string, policy: TargetPolicy) => {
  try {
    assertAllowed(address, policy);
    return null;
  } catch (error) {
    expect(error).toBeInstanceOf(GuardError);
    return inEnglish((error as GuardError).reason);
  }
};

const ALWAYS = [
  "169.254.0.1",
  "169.254.169.254",
  "100.100.100.200",
  "168.63.129.16",
  "192.0.0.192",
  "fd00:ec2::254",
  "fd00:0ec2:0:0:0:0:0:0254",
  "fe80::1",
  "fe80::1%eth0",
  "febf::1",
  "0.0.0.0",
  "::",
  "224.0.0.1",
  "239.255.255.250",
  "ff02::1",
  "255.255.255.255",
  "::ffff:169.254.169.254",
  "::ffff:a9fe:a9fe",
  "::169.254.169.254",
  "2002:a9fe:a9fe::1",
  "64:ff9b::169.254.169.254",
  "64:ff9b::a83f:8110",
  "64:ff9b:1::a9fe:a9fe",
  "::ffff:0:169.254.169.254",
  "2001:0:1234::5601:5601",
  "::ffff:0.0.0.0",
];

const NOT_PUBLIC = [
  "127.0.0.1",
  "127.255.255.254",
  "::1",
  "10.0.0.1",
  "172.16.0.1",
  "192.168.1.1",
  "100.64.0.1",
  "fc00::1",
  "fd12::1",
  "fec0::1",
  "192.0.2.1",
  "198.51.100.7",
  "203.0.113.9",
  "198.18.0.1",
  "240.0.0.1",
  "192.0.0.8",
  "2001:db8::1",
  "3fff::1",
  "100::1",
  "::ffff:10.0.0.1",
  "::ffff:127.0.0.1",
  "2002:7f00:1::1",
  "2002:c0a8:101::1",
  "64:ff9b::10.0.0.1",
  "64:ff9b:1::808:808",
  "::808:808",
  "4000::1",
];

const PUBLIC = [
  "8.8.8.8",
  "93.184.216.34",
  "2606:4700::1111",
  "2a00:1450::1",
  "64:ff9b::8.8.8.8",
  "::ffff:8.8.8.8",
];

describe("target policy", () => {
  test.each(ALWAYS)("%s is refused whatever the policy", (address) => {
    expect(refused(address, "all")).toContain(address);
    expect(refused(address, "public")).toContain(address);
  });

  test.each(NOT_PUBLIC)("%s is allowed in general and refused where targets are public", (address) => {
    expect(refused(address, "all")).toBeNull();
    expect(refused(address, "public")).toContain("VEDETTE_TARGETS=public");
  });

  test.each(PUBLIC)("%s is allowed everywhere", (address) => {
    expect(refused(address, "all")).toBeNull();
    expect(refused(address, "public")).toBeNull();
  });

  test("what is no address is refused", () => {
    for (const text of ["", "example.test", "1.2.3.4.5", "[::1]"])
      expect(refused(text, "all")).toContain("not an IP");
  });

  test.each(["2130706433", "0177.0.0.1", "0x7f.1", "0x7f000001", "127.1"])(
    "%s as a host is treated as the loopback address it is",
    (host) => {
      expect(refused(new URL(`http://${host}/`).hostname, "public")).toContain("loopback");
      expect(refused(host, "public")).toContain("loopback");
    },
  );
});
