import { spawnSync } from "node:child_process";
import { lookup } from "node:dns/promises";
import {
  chmodSync,
  closeSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from "vitest";
import { FileSystems } from "../src/linux/file-systems.ts";
import { type Disk, disksIn } from "../src/linux/mounts.ts";
import { type DiskAnswer, queryByProgram } from "../src/linux/query-disk.ts";
import { LIMIT_MS, MAX_AGE_MS, RETRY_MS, SlowDisks } from "../src/linux/slow-disks.ts";
import { type Space, spaceMetrics } from "../src/linux/space.ts";

function emptyFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "vedette-agent-disks-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  return folder;
}

/** A folder that looks like /proc to a process that has these mounts. */
function procOf(mounts: readonly string[]): string {
  const folder = emptyFolder();
  mkdirSync(join(folder, "self"));
  writeFileSync(join(folder, "self/mountinfo"), `${mounts.join("\n")}\n`);
  return folder;
}

const mount = (device: string, subtree: string, path: string, type = "ext4", source = "/dev/sda1") =>
  `36 1 ${device} ${subtree} ${path} rw shared:1 - ${type} ${source} rw`;
const pathsOf = (mounts: readonly string[], named = new Map<string, string[]>()) =>
  disksIn(mounts.join("\n"), named).map(({ places }) => places[0]);

describe("what a disk is called", () => {
  it.each([
    [
      "where its root is mounted, and not a shorter bind of a folder",
      [
        ["/sub", "/d"],
        ["/", "/mnt/big"],
      ],
      "/mnt/big",
    ],
    [
      "the machine's root, whichever subvolume that is",
      [
        ["/", "/mnt/all"],
        ["/@home", "/home"],
        ["/@", "/"],
      ],
      "/",
    ],
    [
      "the shortest of its folders where its root is mounted nowhere",
      [
        ["/a", "/data/x"],
        ["/b", "/srv"],
      ],
      "/srv",
    ],
  ])("%s", (_, places, path) => {
    const mounts = places.map(([subtree = "", at = ""]) => mount("8:1", subtree, at));
    expect(pathsOf(mounts)).toEqual([path]);
    expect(pathsOf(mounts.toReversed())).toEqual([path]);
  });

  it("is nothing where files of it are mounted alone, as in containers, and a folder beside such a file", async () => {
    const folder = emptyFolder();
    const [file, data] = [join(folder, "hosts"), join(folder, "a-longer-name")];
    writeFileSync(file, "");
    mkdirSync(data);
    const named = async (mounts: string[]) =>
      (await new FileSystems(procOf(mounts)).read()).spaces.map(({ path }) => path);
    expect(await named([mount("8:1", "/x/hosts", file)])).toEqual([]);
    expect(await named([mount("8:1", "/x/hosts", file), mount("8:1", "/data", data)])).toEqual([data]);
  });

  it("stays, whatever else of it is mounted later, until its root is", () => {
    const named = new Map([["8:1", ["/data/x"]]]);
    const both = [mount("8:1", "/a", "/data/x"), mount("8:1", "/b", "/srv")];
    expect(pathsOf(both, named)).toEqual(["/data/x"]);
    expect(pathsOf([...both, mount("8:1", "/", "/mnt/all")], named)).toEqual(["/mnt/all"]);
    expect(pathsOf(both.slice(1), named)).toEqual(["/srv"]);
  });

  it("is its pool's for all datasets of ZFS, and a pool is one disk", () => {
    const dataset = (name: string, path: string, device: string) => mount(device, "/", path, "zfs", name);
    const mounts = [
      dataset("rpool/ROOT/os", "/", "0:30"),
      dataset("rpool/home", "/h", "0:31"),
      dataset("tank/a", "/a", "0:32"),
      dataset("tank", "/tank", "0:33"),
      dataset("tank/a@daily", "/a/.zfs/snapshot/daily", "0:34"),
    ];
    expect(disksIn(mounts.join("\n"), new Map())).toMatchObject([
      { places: ["/", "/h"], isSafe: false, datasets: [{ name: "rpool/ROOT/os" }, { name: "rpool/home" }] },
      { places: ["/tank", "/a"], datasets: [{ name: "tank" }, { name: "tank/a" }] },
    ]);
  });

  it("is reached where no query can hang, and by a program where it lies below a mount of another machine", () => {
    const mounts = [
      mount("0:50", "/", "/mnt", "nfs4", "server:/export"),
      mount("8:1", "/", "/mnt/disk"),
      mount("8:2", "/", "/mnt-not-below"),
      mount("8:3", "/", "/mnt/root"),
      mount("8:3", "/folder", "/srv/folder"),
      mount("8:4", "/file", "/mnt/file"),
    ];
    const found = disksIn(mounts.join("\n"), new Map());
    expect(found.map(({ places, isSafe }) => [places, isSafe])).toEqual([
      [["/mnt"], false],
      [["/mnt/disk"], false],
      [["/mnt-not-below"], true],
      [["/srv/folder"], true],
      [["/mnt/file"], false],
    ]);
  });

  it("is queried by a program until it has counted what is free, where that is read from the disk", () => {
    const mounts = mount("8:1", "/", "/boot/efi", "vfat");
    expect(disksIn(mounts, new Map())).toMatchObject([{ isSafe: false }]);
    expect(disksIn(mounts, new Map([["8:1", ["/boot/efi"]]]))).toMatchObject([{ isSafe: true }]);
  });
});

it("measures each file system once, and only those that are on disks", async () => {
  const folder = emptyFolder();
  const proc = procOf([
    mount("8:1", "/", folder),
    mount("8:1", "/sub", `${folder}/bind`),
    mount("0:20", "/", "/proc", "proc", "proc"),
    mount("0:21", "/", "/dev/shm", "tmpfs", "tmpfs"),
    mount("8:2", "/", "/nowhere/at\\040all", "xfs", "/dev/sda2"),
  ]);
  const { spaces, unresponsive } = await new FileSystems(proc).read();
  expect([spaces.map(({ path }) => path), unresponsive]).toEqual([[folder], []]);
  expect(spaces[0]?.usage).toBeGreaterThan(0);
  expect(spaces[0]?.total).toBeGreaterThan(spaces[0]?.used ?? 0);
});

/** Puts a program of that name before all others, which prints these lines, fails with these and ends with that code. */
function program(name: string, { prints = "", fails = "", code = 0 }) {
  const folder = emptyFolder();
  const lines = (text: string, to: string) => (text ? `cat ${to} <<'END'\n${text}\nEND\n` : "");
  writeFileSync(join(folder, name), `#!/bin/sh\n${lines(prints, "")}${lines(fails, ">&2")}exit ${code}\n`);
  chmodSync(join(folder, name), 0o755);
  return folder;
}

describe("what programs say of a disk", () => {
  const disk = (path: string, more: Partial<Disk> = {}): Disk => ({
    ...{ device: path, places: [path], datasets: null, isSafe: false },
    ...more,
  });
  const queryDisk = (one: Disk, folders: readonly string[]) =>
    queryByProgram(one, folders.length > 0 ? [...folders, "/usr/bin", "/bin"].join(":") : undefined).answer;

  it("is what statfs says, by the system's own stat", async () => {
    const folder = emptyFolder();
    const own = disksIn(mount("8:1", "/", folder), new Map());
    const proc = procOf([mount("8:1", "/", folder)]);
    const [safely] = (await new FileSystems(proc).read()).spaces;
    const [byProgram] = (await queryDisk(own[0] as Disk, [])) ?? [];
    expect(byProgram).toMatchObject({ path: folder, total: safely?.total });
  });

  it.each([
    ["is stale", "stat: cannot read file system information for '/nas/': Stale file handle", null],
    ["has lost its server", "stat: can't read file system information for '/nas/': I/O error", null],
    [
      "belongs to another user",
      "stat: cannot read file system information for '/nas/': Permission denied",
      [],
    ],
    ["is a file", "stat: cannot read file system information for '/nas/': Not a directory", []],
    ["fails without a word", "", null],
  ])("is no measurement where it %s", async (_, fails, expected) => {
    expect(await queryDisk(disk("/nas"), [program("stat", { fails, code: 1 })])).toEqual(expected);
  });

  it("is of the place that answered, where others did not", async () => {
    const stat = program("stat", {
      prints: "1000 100 20 10 0 0 /b/",
      fails: "stat: '/a/': Stale file handle",
      code: 1,
    });
    expect(await queryDisk(disk("/a", { places: ["/a", "/b"] }), [stat])).toEqual([
      { path: "/b", used: 80_000, total: 100_000, usage: (100 * 80) / 90, inodeUsage: null, isPart: false },
    ]);
  });

  const datasets = ["tank", "tank/a", "tank/home/x", "tank/home/y"].map((name) => ({
    name,
    path: `/${name}`,
  }));
  const pool = disk("/tank", { places: ["/tank"], datasets });
  const usages = (answer: DiskAnswer) =>
    answer?.map(({ path, usage, total }) => [path, Math.round(usage), total]);

  it("is of a pool once, clones and volumes counted as the pool does, and of each dataset with a quota", async () => {
    const rows = [
      // name, used, available, referenced, quota, refquota
      ["tank", 700, 300, 1, 0, 0],
      ["tank/a", 100, 0, 60, 100, 0],
      ["tank/home", 190, 10, 1, 200, 0],
      ["tank/home/x", 90, 10, 90, 0, 0],
      ["tank/home/y", 95, 5, 45, 0, 50],
    ];
    const zfs = program("zfs", { prints: rows.map((row) => row.join("\t")).join("\n") });
    expect(usages(await queryDisk(pool, [zfs]))).toEqual([
      ["/tank", 70, 1_000],
      ["/tank/a", 100, 100],
      ["/tank/home/x", 95, 200],
      ["/tank/home/y", 90, 50],
    ]);
  });

  it("is of a pool what its datasets say where zfs does not work: those with the same space left share it", async () => {
    const stat = program("stat", {
      prints: [
        "1000 601 600 600 0 0 /tank/",
        "1000 899 599 599 0 0 /tank/a/",
        "1000 150 0 0 0 0 /tank/home/x/",
        "1000 70 0 0 0 0 /tank/home/y/",
      ].join("\n"),
    });
    const zfs = program("zfs", {
      fails: "Permission denied the ZFS utilities must be run as root.",
      code: 1,
    });
    const answer = await queryDisk(pool, [zfs, stat]);
    expect(usages(answer)).toEqual([
      ["/tank", 33, 901_000],
      ["/tank/home/x", 100, 150_000],
      ["/tank/home/y", 100, 70_000],
    ]);
    expect(answer?.map(({ isPart }) => isPart)).toEqual([false, true, true]);
  });

  it("is nothing where the pool does not answer either", async () => {
    const folders = [program("zfs", { code: 1 }), program("stat", { code: 1 })];
    expect(await queryDisk(pool, folders)).toBeNull();
  });
});

const spaceAt = (path: string, isPart = false): Space => ({
  ...{ path, used: 40, total: 100, usage: 40, inodeUsage: null, isPart },
});

it("names a pool that does not answer with all of its parts, and counts no part as space of the machine", async () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const proc = procOf([
    mount("0:30", "/", "/tank", "zfs", "tank"),
    mount("0:31", "/", "/tank/quota", "zfs", "tank/quota"),
  ]);
  let answer: DiskAnswer = [spaceAt("/tank"), spaceAt("/tank/quota", true)];
  const slow = new SlowDisks(() => ({ answer: Promise.resolve(answer), abandon: () => {} }), Date.now);
  const files = new FileSystems(proc, slow);
  expect(spaceMetrics((await files.read()).spaces)).toMatchObject({
    ...{ "disk./tank.total": 100, "disk./tank/quota.usage": 40 },
  });
  expect(files.totalBytes).toBe(100);
  answer = null;
  expect(await files.read()).toEqual({ spaces: [], unresponsive: ["/tank", "/tank/quota"] });
});

describe("file systems that never answer", () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  interface Behaviour {
    /** These never answer, */
    hanging?: ReadonlySet<string>;
    /** not even when they are abandoned. */
    stuck?: ReadonlySet<string>;
    /** These fail at once. */
    failing?: ReadonlySet<string>;
    /** How long the others take. */
    answerMs?: number;
  }

  function slowDisks({
    hanging = new Set(),
    stuck = new Set(),
    failing = new Set(),
    answerMs = 0,
  }: Behaviour) {
    const log: string[] = [];
    let running = 0;
    let most = 0;
    const slow = new SlowDisks(
      ({ device }) => {
        log.push(device);
        running += 1;
        most = Math.max(most, running);
        const { promise: answer, resolve } = Promise.withResolvers<DiskAnswer>();
        const end = (found: DiskAnswer) => {
          running -= 1;
          resolve(found);
        };
        if (failing.has(device)) end(null);
        else if (!hanging.has(device) && answerMs === 0) end([spaceAt(device)]);
        else if (!hanging.has(device)) setTimeout(end, answerMs, [spaceAt(device)]);
        return { answer, abandon: () => !stuck.has(device) && hanging.has(device) && end(null) };
      },
      () => Date.now(),
    );
    /** What is measured, and what is not, when all that may be waited for is over. */
    const read = async (devices: readonly string[], waitMs = 10_000) => {
      const all = devices.map(
        (device): Disk => ({ device, places: [device], datasets: null, isSafe: false }),
      );
      const reading = slow.read(all);
      await vi.advanceTimersByTimeAsync(waitMs);
      const { spaces, unanswered } = await reading;
      const [measured, silent] = [[...spaces.keys()].sort(), [...unanswered].sort()];
      expect([...measured, ...silent].sort()).toEqual([...devices].sort());
      return { measured, silent };
    };
    return { log, most: () => most, read };
  }

  const MANY = ["/a", "/b", "/c", "/d", "/e"];

  it("are queried one at a time, given up after a limit, and named; the others answer as always", async () => {
    const { read, log, most } = slowDisks({ hanging: new Set(["/a", "/b", "/c", "/d"]) });
    await read(["/e", ...MANY.slice(0, 4)]);
    expect(most()).toBe(1);
    // From then on those that answer are queried first, and wait for none of them.
    log.length = 0;
    expect(await read(MANY, 0)).toEqual({ measured: ["/e"], silent: ["/a", "/b", "/c", "/d"] });
    expect(log).toEqual(["/e"]);
  });

  it("are queried again after a while, behind those that answer, and are no longer named once they do", async () => {
    const hanging = new Set(["/a"]);
    const { read, log } = slowDisks({ hanging });
    await read(["/a", "/e"], RETRY_MS + LIMIT_MS);
    log.length = 0;
    expect(await read(["/a", "/e"], LIMIT_MS)).toEqual({ measured: ["/e"], silent: ["/a"] });
    expect(log).toEqual(["/e", "/a"]);
    hanging.clear();
    await vi.advanceTimersByTimeAsync(RETRY_MS);
    await read(["/a", "/e"]);
    expect(await read(["/a", "/e"], 0)).toEqual({ measured: ["/a", "/e"], silent: [] });
  });

  it("are named, and are queried again after a while, where they fail at once", async () => {
    const failing = new Set(["/a"]);
    const { read, log } = slowDisks({ failing });
    expect(await read(["/a", "/e"], 0)).toEqual({ measured: ["/e"], silent: ["/a"] });
    failing.clear();
    expect(await read(["/a", "/e"], RETRY_MS)).toEqual({ measured: ["/e"], silent: ["/a"] });
    expect(log).toEqual(["/a", "/e", "/e"]);
    await read(["/a", "/e"], 0);
    expect(await read(["/a", "/e"], 0)).toEqual({ measured: ["/a", "/e"], silent: [] });
  });

  it("keep no other from being measured, however many of them cannot be ended", async () => {
    const gone = Array.from({ length: 40 }, (_, at) => `/gone${at}`);
    const { read, log } = slowDisks({ hanging: new Set(gone), stuck: new Set(gone) });
    const all = [...gone, "/e"];
    await read(all, 40 * LIMIT_MS * 2);
    for (let round = 0; round < 3; round += 1)
      expect(await read(all, 2 * RETRY_MS)).toEqual({ measured: ["/e"], silent: [...gone].sort() });
    // Each has one query at most.
    expect(log.filter((path) => path !== "/e").sort()).toEqual([...gone].sort());
  });

  it("are measured all the same where many of them take long, and reported as they answered last", async () => {
    const { read } = slowDisks({ answerMs: LIMIT_MS - 500 });
    const first = await read(MANY);
    expect(first.measured).toEqual(["/a", "/b"]);
    expect(await read(MANY)).toEqual({ measured: MANY, silent: [] });
  });

  it("are named once their last answer is old, while others are queried before them", async () => {
    const many = Array.from({ length: 50 }, (_, at) => `/slow${at}`);
    const { read } = slowDisks({ answerMs: LIMIT_MS - 500 });
    for (let left = 12; left > 0; left -= 1) await read(many);
    // In a minute so many answer.
    const { measured } = await read(many);
    expect(measured.length).toBeGreaterThanOrEqual(MAX_AGE_MS / (LIMIT_MS - 500) - 1);
    expect(measured.length).toBeLessThan(many.length);
  });

  it("are forgotten when they are unmounted", async () => {
    const { read } = slowDisks({ hanging: new Set(["/a"]) });
    await read(["/a"]);
    expect(await read(["/e"])).toEqual({ measured: ["/e"], silent: [] });
  });
});

/** Mounts a file system whose server never says a word, as an NFS server that is away; null: not on this machine. */
function mountHanging(path: string): boolean {
  const server = openSync("/dev/fuse", "r+");
  onTestFinished(() => closeSync(server));
  const options = `fd=3,rootmode=40000,user_id=0,group_id=0,allow_other`;
  const { status } = spawnSync("mount", ["-i", "-t", "fuse.sshfs", "-o", options, "away:/", path], {
    stdio: ["ignore", "ignore", "ignore", server],
  });
  if (status === 0) onTestFinished(() => void spawnSync("umount", ["-l", path]));
  return status === 0;
}

const mayMount = process.getuid?.() === 0 && existsSync("/dev/fuse");

it.skipIf(!mayMount)(
  "reports, and finds names, beside five mounts that really never answer",
  async (test) => {
    const folder = emptyFolder();
    const paths = [1, 2, 3, 4, 5].map((each) => join(folder, `away${each}`));
    for (const path of paths) {
      mkdirSync(path);
      if (!mountHanging(path)) test.skip("this machine lets nothing be mounted");
    }
    const files = new FileSystems("/proc");
    const { spaces, unresponsive } = await files.read();
    expect(spaces.map(({ path }) => path)).toContain("/");
    expect(unresponsive).toEqual(expect.arrayContaining(paths));
    await vi.waitFor(
      async () => expect((await files.read()).unresponsive).toEqual(expect.arrayContaining(paths)),
      { timeout: 30_000 },
    );
    expect((await lookup("localhost")).address).toBeTruthy();
  },
);
