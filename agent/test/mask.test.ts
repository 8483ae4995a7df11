import fc from "fast-check";
import { expect, it } from "vitest";
import { maskArguments } from "../src/mask.ts";

const line = (text: string) => maskArguments(text.split(" "));

it.each([
  ["psql --password=hunter2 -h db", "psql --password=••• -h db"],
  ["app --token abc123 --port 80", "app --token ••• --port 80"],
  ["app --api-key abc123", "app --api-key •••"],
  ["app --apiKey=abc123", "app --apiKey=•••"],
  ["app --db-password abc", "app --db-password •••"],
  ["java -Ddb.password=abc -jar x.jar", "java -Ddb.password=••• -jar x.jar"],
  ["env DB_PASSWORD=abc node server.js", "env DB_PASSWORD=••• node server.js"],
  ["curl https://ada:hunter2@example.com/x", "curl https://•••@example.com/x"],
  ["postgres://app:pw@db/main", "postgres://•••@db/main"],
  ["curl https://example.com/?access_token=abc&page=2", "curl https://example.com/?access_token=•••&page=2"],
  ["curl -u ada:hunter2 https://example.com", "curl -u ••• https://example.com"],
  ["mysql -phunter2 -u root", "mysql -p••• -u root"],
  ["/usr/bin/sshpass -p hunter2 ssh host", "/usr/bin/sshpass -p ••• ssh host"],
  ["redis-cli -a hunter2 ping", "redis-cli -a ••• ping"],
  ["app ghp_0123456789abcdefghijABCDEFGHIJ012345", "app •••"],
  ["app AKIAABCDEFGHIJKLMNOP", "app •••"],
  ["vedette-agent --enroll vde_0123456789abcdefghij", "vedette-agent --enroll •••"],
  ["app postgres://ada:hun/ter2@db/main", "app postgres://•••@db/main"],
  ["curl -H Authorization: Bearer abcdefghijkl", "curl -H Authorization: ••• •••"],
  ["curl http://localhost:8080/@scope/name", "curl http://localhost:8080/@scope/name"],
])("hides the secret in: %s", (given, shown) => {
  expect(line(given)).toBe(shown);
});

it("hides what a header says", () => {
  expect(maskArguments(["curl", "-H", "Authorization: Bearer abcdefghijkl"])).not.toContain("abcdefghijkl");
});

it.each([
  "nginx: worker process",
  "node server.js --port 8080 --pid-file /run/x.pid",
  "ssh -p 2222 host",
  "/usr/sbin/sshd -D",
  "tail -f /var/log/auth.log",
  "app --passive --tokenizer bert --keyboard us",
])("leaves as it is: %s", (given) => {
  expect(line(given)).toBe(given);
});

it("leaves the name that a program gives itself", () => {
  expect(maskArguments(["sshd-session: ada [priv]"])).toBe("sshd-session: ada [priv]");
  expect(maskArguments(["worker: --token=abc"])).toBe("worker: --token=•••");
});

/** What a secret may follow, in a command line of anything else. */
const BEFORE = ["--password=", "API_KEY=", "https://ada:", "--db.password=", "?access_token="];
const SECRET = "hunter2hunter2";

it("hides a secret anywhere in a line, also where the line is cut", () => {
  const noise = fc.array(fc.string({ minLength: 1, maxLength: 600, unit: "grapheme-ascii" }), {
    maxLength: 12,
  });
  fc.assert(
    fc.property(noise, fc.constantFrom(...BEFORE), noise, (before, name, after) => {
      const word = name.startsWith("https") ? `${name}${SECRET}@example.com/` : `${name}${SECRET}`;
      const shown = maskArguments(["app", ...before, word, ...after]);
      expect(shown).not.toContain(SECRET);
      expect(shown.length).toBeLessThanOrEqual(4_096);
    }),
  );
});

it.each(["a.", "a-", "a=", 'a="', "a://", "eyJ-", "a:b", "://", "bearer ", "--a", "'", "xoxb-", "a://b:"])(
  "is done with a command line of a megabyte of %j as soon as with a short one",
  (piece) => {
    // What is not linear takes minutes here.
    expect(maskArguments([piece.repeat(1_000_000 / piece.length)]).length).toBeLessThanOrEqual(4_096);
    expect(maskArguments(piece.repeat(1_000_000 / piece.length).split(/(?<=-)/)).length).toBeLessThanOrEqual(
      4_096,
    );
  },
);

it("does not hide the option that follows one whose value is missing", () => {
  expect(line("app --token --port 80")).toBe("app --token --port 80");
});
