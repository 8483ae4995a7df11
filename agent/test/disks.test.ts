import { spawnSync } from "node:child_process";
import { lookup } from "node:dns/promises";
import { closeSync, existsSync, mkdirSync, mkdtempSync, openSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from "vitest";
import { FileSystems, spaceMetrics } from "../src/linux/file-systems.ts";
import { disksIn } from "../src/linux/mounts.ts";
import { LIMIT_MS, RETRY_MS, SlowDisks, type StatFs } from "../src/linux/slow-disks.ts";

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
const pathsOf = (mounts: readonly string[], named = new Map<string, string>()) =>
  disksIn(mounts.join("\n"), named).map(({ path }) => path);

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

  it("is nothing where files of it are mounted alone, as in containers", () => {
    const file = join(emptyFolder(), "hosts");
    writeFileSync(file, "");
    expect(pathsOf([mount("8:1", "/x/hosts", file), mount("0:9", "/", "/", "overlay", "overlay")])).toEqual([
      "/",
    ]);
  });

  it("stays, whatever else of it is mounted later, until its root is", () => {
    const named = new Map([["8:1", "/data/x"]]);
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
      { path: "/", isPool: true, isLocal: false, places: ["/", "/h"] },
      { path: "/tank", isPool: true, places: ["/tank", "/a"] },
    ]);
  });

  it("is asked in a process of its own where it lies below a mount of another machine", () => {
    const mounts = [
      mount("0:50", "/", "/mnt", "nfs4", "server:/export"),
      mount("8:1", "/", "/mnt/disk"),
      mount("8:2", "/", "/mnt-not-below"),
    ];
    expect(disksIn(mounts.join("\n"), new Map()).map(({ isLocal }) => isLocal)).toEqual([false, false, true]);
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
  const spaces = await new FileSystems(proc).read();
  expect(spaces.map(({ path }) => path)).toEqual([folder]);
  expect(spaces[0]?.usage).toBeGreaterThan(0);
  expect(spaces[0]?.total).toBeGreaterThan(spaces[0]?.used ?? 0);
});

const statOf = (blocks: number, free: number, available = free): StatFs => ({
  ...{ blockBytes: 1_000, blocks, free, available, files: 100, freeFiles: 60 },
});
const answered = (found: Record<string, StatFs>) => (paths: readonly string[]) => ({
  answer: Promise.resolve(
    new Map(paths.flatMap((path) => (found[path] ? [[path, found[path]] as const] : []))),
  ),
  abandon: () => {},
});

it("counts what the datasets of a pool share once, and what each uses", async () => {
  const proc = procOf([
    mount("0:30", "/", "/tank", "zfs", "tank"),
    mount("0:31", "/", "/tank/a", "zfs", "tank/a"),
    mount("0:32", "/", "/tank/quota", "zfs", "tank/quota"),
  ]);
  const slow = new SlowDisks(
    answered({ "/tank": statOf(601, 600), "/tank/a": statOf(899, 600), "/tank/quota": statOf(150, 50) }),
  );
  const spaces = await new FileSystems(proc, slow).read();
  expect(spaceMetrics(spaces)).toEqual({
    "disk./tank.used": 400_000,
    "disk./tank.total": 1_000_000,
    "disk./tank.usage": 40,
  });
});

describe("file systems that never answer", () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  /** Those of `hanging` never answer, and of `stuck` not even when they are abandoned. */
  function slowDisks(hanging: ReadonlySet<string>, stuck: ReadonlySet<string> = new Set()) {
    const log: string[] = [];
    let running = 0;
    let most = 0;
    const slow = new SlowDisks(
      ([path = ""]) => {
        log.push(path);
        running += 1;
        most = Math.max(most, running);
        let end: (found: Map<string, StatFs>) => void = () => {};
        const answer = new Promise<Map<string, StatFs>>((resolve) => {
          end = (found) => {
            running -= 1;
            resolve(found);
          };
        });
        if (!hanging.has(path)) end(new Map([[path, statOf(10, 5)]]));
        return { answer, abandon: () => !stuck.has(path) && end(new Map()) };
      },
      () => Date.now(),
    );
    const disks = (paths: readonly string[]) => paths.map((path) => ({ path, places: [path] }));
    return {
      slow,
      log,
      most: () => most,
      /** What is answered when all that may be waited for is over. */
      async read(paths: readonly string[], waitMs = 10_000) {
        const reading = slow.read(disks(paths));
        await vi.advanceTimersByTimeAsync(waitMs);
        return [...(await reading).keys()].sort();
      },
    };
  }

  const MANY = ["/a", "/b", "/c", "/d", "/e"];

  it("are asked one at a time, given up after a limit, and named; the others answer as always", async () => {
    const { read, slow, log, most } = slowDisks(new Set(["/a", "/b", "/c", "/d"]));
    await read(["/e", ...MANY.slice(0, 4)]);
    expect(slow.unresponsive).toEqual(["/a", "/b", "/c", "/d"]);
    expect(most()).toBe(1);
    // From then on whoever answers is asked first, and waits for none of them.
    log.length = 0;
    expect(await read(MANY, 0)).toEqual(["/e"]);
    expect(log).toEqual(["/e"]);
  });

  it("are asked again after a while, behind those that answer, and are no longer named once they do", async () => {
    const hanging = new Set(["/a"]);
    const { read, slow, log } = slowDisks(hanging);
    await read(["/a", "/e"], RETRY_MS + LIMIT_MS);
    log.length = 0;
    await read(["/a", "/e"], LIMIT_MS);
    expect([log, slow.unresponsive]).toEqual([["/e", "/a"], ["/a"]]);
    hanging.clear();
    await vi.advanceTimersByTimeAsync(RETRY_MS);
    await read(["/a", "/e"]);
    expect(slow.unresponsive).toEqual([]);
    expect(await read(["/a", "/e"], 0)).toEqual(["/a", "/e"]);
  });

  it("whose question cannot be ended are not asked again before it has", async () => {
    const { read, slow, log } = slowDisks(new Set(["/a"]), new Set(["/a"]));
    await read(["/a", "/e"], 3 * RETRY_MS);
    expect(await read(["/a", "/e"], 3 * RETRY_MS)).toEqual(["/e"]);
    expect(log.filter((path) => path === "/a")).toHaveLength(1);
    expect(slow.unresponsive).toEqual(["/a"]);
  });

  it("are forgotten when they are unmounted", async () => {
    const { read, slow } = slowDisks(new Set(["/a"]));
    await read(["/a"]);
    await read(["/e"]);
    expect(slow.unresponsive).toEqual([]);
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
    const known = (await files.read()).map(({ path }) => path);
    expect(known).toContain("/");
    await vi.waitFor(
      async () => {
        await files.read();
        expect(files.unresponsive()).toEqual(expect.arrayContaining(paths));
      },
      { timeout: 30_000 },
    );
    expect((await lookup("localhost")).address).toBeTruthy();
  },
);
