import { expect, it, onTestFinished } from "vitest";
import { type Behaviour, body, endlessBody, endlessHeader, raw, redirect } from "../harness/behaviours.ts";
import { eventually } from "../harness/eventually.ts";
import { startHttpTarget } from "../harness/targets.ts";
import { openHouse } from "./house.ts";
import { readStored } from "./served.ts";

const NOT_UTF8 = Buffer.from([0xc3, 0x28, 0xff, 0xf0, 0x9f, 0x80, 0xe2, 0x82]);
const TEN_MEGABYTES = 10 * 1024 * 1024;

interface Hostile {
  behaviour: Behaviour;
  settings?: object;
  status: "up" | "down";
  /** What the API says is wrong. */
  reason: RegExp | null;
}

const keyword = { assertions: [{ type: "keyword", operator: "present", value: "all is well" }] };

const HOSTILE: Record<string, Hostile> = {
  "an endless header": { behaviour: endlessHeader, status: "down", reason: /header/i },
  "10 MB of one header": {
    behaviour: raw(["HTTP/1.1 200 OK\r\nx-long: ", Buffer.alloc(TEN_MEGABYTES, "a"), "\r\n\r\nok"]),
    status: "down",
    reason: /header/i,
  },
  "headers that are not UTF-8": {
    behaviour: raw(["HTTP/1.1 500 ", NOT_UTF8, "\r\nx-name: ", NOT_UTF8, "\r\ncontent-length: 0\r\n\r\n"]),
    status: "down",
    reason: /500/,
  },
  "a location that is not UTF-8": {
    behaviour: raw(["HTTP/1.1 302 Found\r\nlocation: http://", NOT_UTF8.subarray(0, 4), "/\r\n\r\n"]),
    status: "down",
    reason: /redirect|location/i,
  },
  "a location that a terminal would obey": {
    behaviour: raw([`HTTP/1.1 302 Found\r\nlocation: ftp://\x1b]0;owned\x07\x1b[2J\x00/\r\n\r\n`]),
    status: "down",
    reason: /redirect/i,
  },
  "an endless body": { behaviour: endlessBody, status: "up", reason: null },
  "an endless body that is searched": {
    behaviour: endlessBody,
    settings: keyword,
    status: "down",
    reason: /all is well/,
  },
  "a body that is not UTF-8": {
    behaviour: body(Buffer.concat([NOT_UTF8, Buffer.from("all is well"), NOT_UTF8])),
    settings: keyword,
    status: "up",
    reason: null,
  },
  "a redirect to itself": { behaviour: redirect("/"), status: "down", reason: /redirect loop/i },
  "redirects that never come round": {
    behaviour: (socket, request) => redirect(`${request.path}x`)(socket, request),
    status: "down",
    reason: /^More than 10 redirects/,
  },
};

it("says in the API what is wrong with each hostile target, in one printable line, and minds none of them", async () => {
  const house = await openHouse();
  const neighbour = await startHttpTarget();
  onTestFinished(() => neighbour.close());
  const wishes = Object.entries(HOSTILE);
  const ids: number[] = [];
  for (const [name, { behaviour, settings }] of wishes) {
    const target = await startHttpTarget({ handler: behaviour });
    onTestFinished(() => target.close());
    ids.push(...(await house.addDomains([target.url], { ...settings, timeout: 3, name })));
  }
  const [well] = await house.addDomains([neighbour.url], { name: "neighbour" });
  for (const [index, [name, { status, reason }]] of wishes.entries()) {
    const domain = await eventually(
      () => house.get(`/api/domains/${ids[index]}`),
      (seen) => seen.status === status,
    );
    expect(domain, name).toMatchObject({ name, status });
    if (reason === null) expect(domain.lastReason, name).toBeNull();
    else expect(domain.lastReason, name).toMatch(reason);
    expect(domain.lastReason ?? "", name).toMatch(/^[\x20-\x7e\u00a0-\ufffd]{0,300}$/);
  }
  await eventually(
    () => house.get(`/api/domains/${well}`),
    (seen) => seen.status === "up",
  );
  expect(house.loggedProblems()).toEqual([]);
  const { data } = (await house.request("/api/incidents")).body;
  const failing = wishes.filter(([, { status }]) => status === "down").length;
  expect(data).toHaveLength(failing);
  const stored = await readStored(house, ids);
  for (const [index, [name, { status }]] of wishes.entries())
    expect(stored.times[index]?.length, name).toBeGreaterThanOrEqual(status === "down" ? 2 : 1);
  expect(stored.rolledUp).toEqual(stored.times.map(({ length }) => length));
});
